"""torch comes from the user's packages, which several Pythons share, and not from the environment."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import Absent, CondaEnvironment, Distributions, Interpreter, TorchInstall


@check
def user_site_install(
    interpreter: Interpreter,
    torch: TorchInstall,
    distributions: Distributions,
    conda: CondaEnvironment | Absent,
) -> Iterator[Finding | Passed]:
    """Report a user's torch that hides another one, or that a conda environment imports.

    In a plain Python it is no problem: pip installs there by default.
    """
    base = interpreter.user_base
    if base is None or not is_below(torch.package_folder, base) or is_below(interpreter.prefix, base):
        yield Passed(f"torch is not one of the user's packages: {torch.package_folder}")
        return
    hidden_distributions = [
        distribution
        for distribution in distributions.installed
        if distribution.name.lower() == "torch" and not is_below(distribution.folder, base)
    ]
    for distribution in hidden_distributions:
        yield Finding(
            f"torch comes from {torch.package_folder}, in place of torch {distribution.version}"
            f" in {distribution.folder}",
            evidence={"path": torch.package_folder, "hidden": distribution.folder},
            step="uninstall",
        )
    if hidden_distributions:
        return
    if isinstance(conda, CondaEnvironment):
        yield Finding(
            f"torch in the conda environment {conda.prefix} is the user's: {torch.package_folder}",
            evidence={"path": torch.package_folder},
            step="without",
        )
    else:
        yield Passed(f"torch is one of the user's packages, and the only one: {torch.package_folder}")
