"""Extensions are built here, but Microsoft's C++ compiler is not installed."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.build_signs import find_build_signs
from torchdoctor.facts import Absent, BuildTools, Distributions, EnvironmentVariables


@check
def msvc_not_found(
    tools: BuildTools, distributions: Distributions | Absent, variables: EnvironmentVariables | Absent
) -> Iterator[Finding | Passed]:
    """Report a missing compiler where extensions are built; setuptools also finds one that is not on PATH."""
    compiler = known(tools.compiler)
    signs = find_build_signs(distributions, variables)
    if compiler is not None:
        yield Passed(f"{compiler} (found by {tools.compiler_source})")
    elif signs:
        yield Finding(
            f"cl.exe was not found, and extensions seem to be built here ({', '.join(signs)})",
            evidence={"signs": list(signs)},
            severity=Severity.NOTE,
            step="tools",
        )
    else:
        yield Passed("no cl.exe was found, and nothing here is compiled")
