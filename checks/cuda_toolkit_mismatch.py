"""Extensions are built here, but the CUDA toolkit and torch have different major versions of CUDA."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.build_signs import find_build_signs
from torchdoctor.domain.cuda_builds import find_major
from torchdoctor.facts import Absent, BuildTools, Distributions, EnvironmentVariables, TorchInstall
from torchdoctor.facts.partial import find_value


@check
def cuda_toolkit_mismatch(
    tools: BuildTools,
    torch: TorchInstall,
    distributions: Distributions | Absent,
    variables: EnvironmentVariables | Absent,
) -> Iterator[Finding | Passed]:
    """Compare the major versions: minor ones are compatible, and a mismatch only stops builds."""
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA and builds no CUDA extension")
        return
    if not tools.has_nvcc:
        yield Passed("no CUDA toolkit is installed")
        return
    version = known(tools.nvcc_version)
    folder = find_value(tools, "cuda_folder")
    place = "" if isinstance(folder, Absent) else f" at {folder}"
    versions = f"CUDA toolkit {version}{place}, torch with CUDA {torch.cuda}"
    signs = find_build_signs(distributions, variables)
    if known(find_major(version)) == known(find_major(torch.cuda)):
        yield Passed(versions)
    elif not signs and (isinstance(distributions, Absent) or not distributions.is_complete):
        raise Skip(f"{versions}: they differ, and it is not known whether extensions are built here")
    elif not signs:
        yield Passed(f"{versions}: they differ, but torch runs without a toolkit, and nothing is built here")
    else:
        yield Finding(
            f"{versions}: an extension does not build with another major version ({', '.join(signs)})",
            evidence={"toolkit": version, "cuda_version": torch.cuda, "signs": list(signs)},
            severity=Severity.NOTE,
            step="installed",
        )
