"""Turn what a text states of an environment into facts; what it does not state stays unknown."""

from collections.abc import Iterator, Mapping

from torchdoctor.domain.gpu_names import find_capability
from torchdoctor.domain.releases import list_companions
from torchdoctor.facts import (
    Absent,
    BuildTools,
    Companion,
    Companions,
    CondaEnvironment,
    CondaPackage,
    CudaTrial,
    Distribution,
    Distributions,
    Facts,
    Gpu,
    Interpreter,
    Memory,
    NvidiaDriver,
    OperatingSystem,
    TorchInstall,
)
from torchdoctor.facts.partial import make_partial
from torchdoctor.readers.environment import Environment
from torchdoctor.readers.statements import Statement, Topic
from torchdoctor.readers.values import is_nvidia, read_build_tag

# collect_env lists every package whose name has one of these words.
_LISTED_BY_COLLECT_ENV = ("torch", "torchvision", "torchaudio", "numpy", "pytorch", "libtorch")
_PLATFORM_TAGS = {"x64": "win-amd64", "arm64": "win-arm64", "x86": "win32"}
_COMPANIONS = ("torchvision", "torchaudio", "torchtext", "xformers", "torchdata")
# The first builds of Windows 10 and 11.
_WINDOWS_10 = 10240
_WINDOWS_11 = 22000


def make_facts(environment: Environment) -> Facts:
    """Return the facts of an environment; a fact of which nothing is stated is absent."""
    makers = {
        OperatingSystem: _make_system,
        Interpreter: _make_interpreter,
        TorchInstall: _make_torch,
        Distributions: _make_distributions,
        Companions: _make_companions,
        CondaEnvironment: _make_conda,
        NvidiaDriver: _make_driver,
        CudaTrial: _make_trial,
        BuildTools: _make_tools,
        Memory: _make_memory,
    }
    return Facts({fact: make(environment) for fact, make in makers.items()})


def _find(environment: Environment, topic: Topic) -> str | None:
    statement = environment.find(topic)
    return statement.value if statement else None


def _not_stated(environment: Environment, topic: Topic, what: str) -> Absent:
    conflict = next((each for each in environment.conflicts if each.first.topic is topic), None)
    return Absent(f"two lines differ: {conflict.describe()}" if conflict else f"not stated: {what}")


def _keep_known(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def _make_system(environment: Environment) -> OperatingSystem | Absent:
    system = _find(environment, Topic.SYSTEM)
    if system is None:
        return _not_stated(environment, Topic.SYSTEM, "the operating system")
    build = _find(environment, Topic.WINDOWS_BUILD)
    name = _find(environment, Topic.SYSTEM_VERSION)
    number = int(build) if build else None
    machine = _find(environment, Topic.MACHINE)
    if _find(environment, Topic.PYTHON_MACHINE) == "arm64":
        # Only a processor of this kind runs it.
        machine = "arm64"
    version = None
    if number is not None and number >= _WINDOWS_10:
        version = f"{'11' if number >= _WINDOWS_11 else '10'} (10.0.{number})"
    return make_partial(
        OperatingSystem,
        _keep_known(
            {
                "system": system,
                "version": version or name,
                "machine": machine,
                "build": number,
            }
        ),
    )


def _make_interpreter(environment: Environment) -> Interpreter | Absent:
    torch = _find(environment, Topic.TORCH)
    bits = _find(environment, Topic.PYTHON_BITS)
    machine = _find(environment, Topic.PYTHON_MACHINE)
    is_windows = _find(environment, Topic.SYSTEM) == "windows"
    version = _find(environment, Topic.PYTHON)
    values = _keep_known(
        {
            "executable": _find(environment, Topic.PYTHON_EXECUTABLE),
            "version": version,
            "implementation": _find(environment, Topic.PYTHON_IMPLEMENTATION),
            "bits": int(bits) if bits else None,
            "machine": machine,
            "platform_tag": _PLATFORM_TAGS.get(machine) if machine and is_windows else None,
            "prefix": _find(environment, Topic.CONDA_PREFIX),
            "base_prefix": _find(environment, Topic.BASE_PREFIX),
            "free_threaded": False if version else None,
            "finds_torch": None if torch is None else torch != "missing",
        }
    )
    if not values:
        return _not_stated(environment, Topic.PYTHON, "which Python it is")
    conflict = next((each for each in environment.conflicts if each.first.topic is Topic.PYTHON), None)
    reasons = {"version": f"two lines differ: {conflict.describe()}"} if conflict else {}
    return make_partial(Interpreter, values, reasons)


def _make_torch(environment: Environment) -> TorchInstall | Absent:
    version = _find(environment, Topic.TORCH)
    cuda = _find(environment, Topic.TORCH_CUDA)
    if version == "missing":
        return Absent("torch is not installed")
    lists_architectures = environment.find(Topic.ARCHITECTURES) is not None
    warns = bool(environment.find_all(Topic.TORCH_WARNING))
    if version is None and cuda is None and not lists_architectures and not warns:
        return _not_stated(environment, Topic.TORCH, "which torch it is")
    values: dict[str, object] = {}
    if version is not None:
        values["version"] = version
    if cuda is not None:
        values["cuda"] = None if cuda == "none" else cuda
    folder = _find(environment, Topic.SITE_PACKAGES)
    if folder is not None:
        separator = "\\" if "\\" in folder else "/"
        values["package_folder"] = f"{folder}{separator}torch"
    reasons = {
        "cuda": _not_stated(environment, Topic.TORCH_CUDA, "whether torch is a CPU or a CUDA build").reason,
        "version": _not_stated(environment, Topic.TORCH, "the version of torch").reason,
    }
    return make_partial(TorchInstall, values, reasons)


def _make_distributions(environment: Environment) -> Distributions | Absent:
    packages = environment.find_all(Topic.PACKAGE)
    if not packages:
        return Absent("not stated: the installed packages")
    folder = _find(environment, Topic.SITE_PACKAGES)
    installed = tuple(
        make_partial(
            Distribution, _keep_known({"name": each.subject, "version": each.value, "folder": folder})
        )
        for each in packages
    )
    is_complete = environment.find(Topic.COMPLETE_LIST, "pip") is not None
    return Distributions(installed, is_complete, _find_listed(packages))


def _find_listed(packages: tuple[Statement, ...]) -> tuple[str, ...]:
    return _LISTED_BY_COLLECT_ENV if any(each.reader == "collect-env" for each in packages) else ()


def _make_companions(environment: Environment) -> Companions | Absent:
    required = {each.subject: each.value for each in environment.find_all(Topic.REQUIRED_TORCH)}
    versions = {
        name: each.value
        for each in environment.find_all(Topic.PACKAGE)
        if (name := each.subject.lower()) in _COMPANIONS or name in required
    }
    names = [*versions, *(name for name in required if name not in versions)]
    if not names:
        return Absent("not stated: the versions of torchvision and torchaudio")
    return Companions(tuple(_make_companion(name, versions.get(name), required.get(name)) for name in names))


def _make_companion(name: str, version: str | None, required_torch: str | None) -> Companion:
    known = _keep_known({"name": name, "version": version, "required_torch": required_torch})
    if version is not None:
        known["cuda"] = next((value for _, value, _ in read_build_tag(version) if value != "none"), None)
    if required_torch is not None:
        # Of others it is not known, and what has no compiled code mostly runs with another torch as well.
        known["is_compiled"] = name in list_companions()
    return make_partial(Companion, known)


def _make_conda(environment: Environment) -> CondaEnvironment | Absent:
    packages = environment.find_all(Topic.CONDA_PACKAGE)
    if not packages:
        return Absent("not stated: what conda installed")
    is_complete = environment.find(Topic.COMPLETE_LIST, "conda") is not None
    listed = tuple(
        CondaPackage(each.subject, each.value.partition(" ")[0], each.value.partition(" ")[2])
        for each in packages
    )
    values = {"packages": listed, "is_complete": is_complete, "complete_names": _find_listed(packages)}
    return make_partial(
        CondaEnvironment, _keep_known({"prefix": _find(environment, Topic.CONDA_PREFIX), **values})
    )


def _make_driver(environment: Environment) -> NvidiaDriver | Absent:
    gpus = tuple(_list_gpus(environment))
    version = _find(environment, Topic.DRIVER)
    cuda = _find(environment, Topic.DRIVER_CUDA)
    state = _find(environment, Topic.DRIVER_STATE)
    is_available = _find(environment, Topic.CUDA_AVAILABLE) == "yes"
    if state is None and (version or cuda or is_available):
        state = "working"
    if state is None and not gpus:
        return Absent("not stated: which GPU and NVIDIA driver there are")
    values = {
        "state": state,
        "version": version or _not_stated(environment, Topic.DRIVER, "the version of the NVIDIA driver"),
        "cuda": cuda or Absent("not stated: the CUDA version of the driver"),
        "gpus": gpus or Absent("not stated: which GPU there is"),
    }
    return make_partial(
        NvidiaDriver, _keep_known(values), {"state": "not stated: whether the NVIDIA driver works"}
    )


def _list_gpus(environment: Environment) -> Iterator[Gpu]:
    """Yield the NVIDIA GPUs of the format that lists the most of them."""
    by_reader: dict[tuple[bool, str], list[Statement]] = {}
    for statement in environment.find_all(Topic.GPU):
        if is_nvidia(statement.value):
            by_reader.setdefault((statement.is_printed, statement.reader), []).append(statement)
    if not by_reader:
        return
    listed = max(by_reader.items(), key=lambda item: (item[0][0], len(item[1])))[1]
    for gpu in listed:
        memory = environment.find(Topic.GPU_MEMORY, gpu.subject)
        model = environment.find(Topic.GPU_MODEL, gpu.subject)
        yield Gpu(
            gpu.value,
            _find_capability(environment, gpu),
            int(memory.value) if memory else Absent("not stated: the memory of the GPU"),
            model.value if model else Absent("not stated: the driver model"),
        )


def _find_capability(environment: Environment, gpu: Statement) -> tuple[int, int] | Absent:
    stated = environment.find(Topic.GPU_CAPABILITY, gpu.subject)
    if stated is not None:
        major, _, minor = stated.value.partition(".")
        return int(major), int(minor)
    return find_capability(gpu.value) or Absent(f"the compute capability of {gpu.value} is not known here")


def _make_trial(environment: Environment) -> CudaTrial | Absent:
    """Return what torch says of CUDA; a CPU build, or a machine of unknown cards, makes no trial of it."""
    available = _find(environment, Topic.CUDA_AVAILABLE)
    architectures = _find(environment, Topic.ARCHITECTURES)
    cuda = _find(environment, Topic.TORCH_CUDA)
    warnings = {each.subject: each.value for each in environment.find_all(Topic.TORCH_WARNING)}
    kernel_error = warnings.pop("kernel", None)
    if available is None and architectures is None and not warnings and kernel_error is None:
        return _not_stated(environment, Topic.CUDA_AVAILABLE, "whether torch can use CUDA")
    if cuda == "none":
        return Absent("this torch is built without CUDA")
    if not warnings and not any(is_nvidia(each.value) for each in environment.find_all(Topic.GPU)):
        return Absent("not stated: which GPU there is")
    reasons = {"available": "not stated: whether torch can use CUDA"}
    return make_partial(
        CudaTrial,
        {
            "outcome": "answered",
            **({"available": available == "yes"} if available else {}),
            "architectures": tuple((architectures or "").split()),
            "kernel_ran": False,
            "kernel_error": kernel_error,
            "error": None,
            "refusal": None,
            "second_trial": None,
            "device_count": None,
            "device_name": None,
            "capability": None,
            "warnings": tuple(warnings.values()),
        },
        reasons,
    )


def _make_tools(environment: Environment) -> BuildTools | Absent:
    version = _find(environment, Topic.TOOLKIT)
    if version is None:
        return Absent("not stated: which CUDA toolkit is installed")
    folder = _find(environment, Topic.TOOLKIT_FOLDER)
    return make_partial(
        BuildTools, _keep_known({"has_nvcc": True, "nvcc_version": version, "cuda_folder": folder})
    )


def _make_memory(environment: Environment) -> Memory | Absent:
    size = _find(environment, Topic.MEMORY)
    if size is None:
        return Absent("not stated: the memory of the machine")
    return make_partial(Memory, {"physical_bytes": int(size)})
