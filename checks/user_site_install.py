"""torch comes from the user's packages, which several Pythons share, and not from the environment."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.releases import find_required_torch
from torchdoctor.domain.versions import accepts
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import (
    Absent,
    Companions,
    CondaEnvironment,
    Distribution,
    Distributions,
    Interpreter,
    TorchInstall,
)


@check
def user_site_install(
    interpreter: Interpreter,
    torch: TorchInstall,
    distributions: Distributions,
    conda: CondaEnvironment | Absent,
    companions: Companions | Absent,
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
        misfits = _list_misfits(torch, distribution, companions)
        need = "need" if len(misfits) > 1 else "needs"
        fits = f", which {' and '.join(misfits)} {need}" if misfits else ""
        yield Finding(
            f"torch comes from {torch.package_folder}, in place of torch {distribution.version}"
            f" in {distribution.folder}{fits}",
            evidence={"path": torch.package_folder, "hidden": distribution.folder},
            severity=Severity.ERROR if misfits else None,
            step="uninstall",
            explains=("torchvision-mismatch",) if misfits else (),
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


def _list_misfits(torch: TorchInstall, hidden: Distribution, companions: Companions | Absent) -> list[str]:
    """Return the companions that are built for the hidden torch, and not for the one that is imported."""
    if isinstance(companions, Absent) or isinstance(torch.version, Absent):
        return []
    return [
        f"{companion.name} {companion.version}"
        for companion in companions.installed
        if (required := find_required_torch(companion.name, companion.version))
        and accepts(required, hidden.version)
        and not accepts(required, torch.version)
    ]
