"""Find signs that an environment compiles extensions or graphs; without one, it needs no compiler."""

from torchdoctor.facts import Absent, Distributions, EnvironmentVariables

# Users who build extensions set these variables: torch.utils.cpp_extension and setuptools read them.
VARIABLES = ("TORCH_CUDA_ARCH_LIST", "DISTUTILS_USE_SDK", "TORCH_EXTENSIONS_DIR", "CUDAHOSTCXX")
# Extensions are built with ninja, and nothing needs it at run time.
PACKAGES = ("ninja",)


def find_build_signs(
    distributions: Distributions | Absent, variables: EnvironmentVariables | Absent
) -> tuple[str, ...]:
    """Return the signs that extensions are compiled here, each as a clause for a message."""
    return (
        *(f"{name} is installed" for name in PACKAGES if _is_installed(distributions, name)),
        *(f"{name} is set" for name in VARIABLES if _is_set(variables, name)),
    )


def _is_installed(distributions: Distributions | Absent, name: str) -> bool:
    return not isinstance(distributions, Absent) and distributions.find(name) is not None


def _is_set(variables: EnvironmentVariables | Absent, name: str) -> bool:
    return not isinstance(variables, Absent) and bool(variables.find(name))
