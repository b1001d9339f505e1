"""Signs that an environment compiles extensions or graphs: without one, a compiler is not missed."""

from torchdoctor.facts import Absent, Distributions, EnvironmentVariables

# Set by those who build extensions: torch.utils.cpp_extension and setuptools read them.
VARIABLES = ("TORCH_CUDA_ARCH_LIST", "DISTUTILS_USE_SDK", "TORCH_EXTENSIONS_DIR", "CUDAHOSTCXX")
# Builds of extensions run through it; nothing at run time needs it.
PACKAGES = ("ninja",)


def find_build_signs(
    distributions: Distributions | Absent, variables: EnvironmentVariables | Absent
) -> tuple[str, ...]:
    """Name what shows that extensions are compiled here."""
    packages = () if isinstance(distributions, Absent) else PACKAGES
    names = () if isinstance(variables, Absent) else VARIABLES
    return (
        *(f"{name} is installed" for name in packages if _has(distributions, name)),
        *(f"{name} is set" for name in names if _is_set(variables, name)),
    )


def _has(distributions: Distributions | Absent, name: str) -> bool:
    return not isinstance(distributions, Absent) and distributions.find(name) is not None


def _is_set(variables: EnvironmentVariables | Absent, name: str) -> bool:
    return not isinstance(variables, Absent) and bool(variables.find(name))
