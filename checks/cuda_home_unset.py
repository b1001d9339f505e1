"""Extensions are built here, but torch cannot find a CUDA toolkit."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.build_signs import find_build_signs
from torchdoctor.facts import Absent, BuildTools, Distributions, EnvironmentVariables, TorchInstall


@check
def cuda_home_unset(
    tools: BuildTools,
    torch: TorchInstall,
    distributions: Distributions | Absent,
    variables: EnvironmentVariables | Absent,
) -> Iterator[Finding | Passed]:
    """Report a missing CUDA toolkit as a note: only builds of extensions need one, not torch itself."""
    signs = find_build_signs(distributions, variables)
    is_set_by_variable = tools.cuda_source in ("CUDA_HOME", "CUDA_PATH")
    if torch.cuda is None:
        yield Passed("this torch is built without CUDA and builds no CUDA extension")
    elif tools.has_nvcc:
        yield Passed(f"CUDA toolkit at {tools.cuda_folder} (from {tools.cuda_source})")
    elif is_set_by_variable:
        yield Finding(
            f"{tools.cuda_source} is {tools.cuda_folder}, and there is no nvcc in its bin folder",
            evidence={"variable": tools.cuda_source, "path": tools.cuda_folder, "cuda": torch.cuda},
            severity=Severity.NOTE,
            step="empty-folder",
        )
    elif signs:
        yield Finding(
            f"no CUDA toolkit was found, and extensions seem to be built here ({', '.join(signs)})",
            evidence={"signs": list(signs), "cuda": torch.cuda},
            severity=Severity.NOTE,
            step="toolkit-of-torch",
        )
    else:
        yield Passed("no CUDA toolkit is installed; torch runs without one, and nothing is built here")
