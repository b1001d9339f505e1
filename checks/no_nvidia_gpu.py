"""A graphics card of AMD or Intel stays unused, because this torch is not built for it."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.bound_packages import list_bound_packages
from torchdoctor.domain.gpus import describe_adapters, find_card_of_other_maker, find_nvidia_gpus
from torchdoctor.domain.torch_choice import name_newest, name_set
from torchdoctor.domain.versions import accepts
from torchdoctor.facts import (
    Absent,
    Companions,
    CondaEnvironment,
    CudaTrial,
    DisplayAdapters,
    Distributions,
    NvidiaDriver,
    OperatingSystem,
    TorchInstall,
)
from torchdoctor.facts.partial import find_value

# The releases with an `xpu` build for Windows (pytorch/test-infra). Those of 2.5 and 2.6 came out before or
# with the cards of Intel's B series.
WITH_XPU_BUILD = ">=2.7,<2.15"
DIRECTML = "torch-directml"


@check
def no_nvidia_gpu(
    system: OperatingSystem,
    torch: TorchInstall,
    adapters: DisplayAdapters,
    driver: NvidiaDriver | Absent,
    trial: CudaTrial | Absent,
    distributions: Distributions | Absent,
    companions: Companions | Absent,
    conda: CondaEnvironment | Absent,
) -> Iterator[Finding | Passed]:
    """Report only cards for which there is a torch on Windows, and as a note: the CPU may be intended."""
    if system.system != "windows" or system.machine != "x64":
        raise Skip("torch for cards of AMD or Intel is looked at on Windows (x64) only")
    gpus = find_nvidia_gpus(driver, adapters)
    if not isinstance(gpus, Absent) and gpus:
        yield Passed(f"{', '.join(gpus)} is plugged in")
        return
    card = find_card_of_other_maker(adapters)
    if card is None:
        raise Skip(f"no card is here that has a torch of its own for Windows ({describe_adapters(adapters)})")
    known(gpus)
    maker, name = card
    version = known(torch.version)
    if isinstance(conda, CondaEnvironment) and conda.find("pytorch"):
        raise Skip(f"torch is conda's, and nothing of pip's belongs over it; {name} stays unused")
    if torch.local_tag not in (None, "cpu") and torch.cuda is None:
        is_named = torch.local_tag.startswith(("xpu", "rocm"))
        yield Passed(f"torch {version} is {f'built for {torch.local_tag}' if is_named else 'no CPU build'}")
    elif isinstance(trial, CudaTrial) and find_value(trial, "available") is True:
        yield Passed(f"{name} answers as a CUDA device")
    elif isinstance(distributions, Distributions) and distributions.find(DIRECTML):
        bound = [each for each in list_bound_packages(companions, distributions) if each.name == DIRECTML]
        if any(each.fits(version) is False for each in bound):
            raise Skip(f"{DIRECTML}, which is for {name}, is for torch {bound[0].torch.lstrip('=')}")
        yield Passed(f"{DIRECTML} is installed, which uses {name}")
    else:
        yield Finding(
            f"torch {version} computes on the CPU and leaves {name} unused",
            evidence={"card": name, **(_describe_xpu_build(version) if maker == "intel" else {})},
            severity=Severity.NOTE,
            step="xpu-here" if maker == "intel" else "amd-here",
        )


def _describe_xpu_build(version: str) -> dict[str, object]:
    """Return pip's arguments for the build for Intel's cards, of the same release if there is one."""
    release = version.partition("+")[0]
    same = name_set(release, "xpu") if accepts(WITH_XPU_BUILD, release) else None
    return {"xpu_set": same or name_newest("xpu"), **({"xpu_release": f"of torch {release}"} if same else {})}
