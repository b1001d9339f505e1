"""The formats: the module of each, and the words of which a text must hold one for the format to be in it.

A module is imported only then. To add a format, add a module to `formats`, a row here, and its samples to
tests/samples/readers.
"""

import importlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, cast

from torchdoctor.readers.statements import Lines, Statement


class FormatLike(Protocol):
    """What reads a format: words of which a text must hold one, and a function that is loaded then."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in lower case."""

    def load(self) -> Callable[[Lines], Iterator[Statement]]:
        """Return the function that reads lines."""


class Format(NamedTuple):
    """A format: its module in `formats`, and words in lower case."""

    module: str
    words: tuple[str, ...]

    def load(self) -> Callable[[Lines], Iterator[Statement]]:
        """Import the module, and return its function `read`."""
        module = importlib.import_module(f"torchdoctor.readers.formats.{self.module}")
        return cast("Callable[[Lines], Iterator[Statement]]", module.read)


# Words of which prose about a machine has one.
_PROSE = (
    "win",
    "linux",
    "ubuntu",
    "mac",
    "rtx",
    "gtx",
    "显卡",
    "顯卡",
    "0ti",
    "0 ti",
    "0super",
    "0 super",
    "torch",
    "python",
    "radeon",
    "amd ",
    "intel",
    "jetson",
    "quadro",
    "tesla",
    "titan",
    "driver",
    "gpu",
    "vram",
    "nvidia",
    "geforce",
    "윈도우",
    "驱动",
    "드라이버",
    "ドライバ",
    "драйвер",
    "treiber",
    "显存",
    # A card by its number, and not any number of a log.
    "arc a",
    "arc b",
    "0卡",
    "0xt",
    "0 xt",
    *(
        f"{word}{series}"
        for word in ("my ", " a ", "块", "张")
        for series in ("10", "16", "20", "30", "40", "50")
    ),
)
# In this order, a value that two formats state in the same way is that of the first.
FORMATS = (
    Format("collect_env", ("gpu models and configuration", "[pip", "[conda]", "gpu 0:", "pip_packages")),
    Format("nvidia_smi", ("nvidia-smi", "gpu 0:", " mib")),
    Format("nvidia_smi_report", ("nvsmi log",)),
    Format("omniverse", ("| graphics api: ",)),
    Format(
        "package_lists",
        (
            "package ",
            "==",
            " @ ",
            "# packages in environment",
            "active env location",
            "_py3",
            "py3",
            "pypi_0",
            "prefix: ",
            "=py",
            "python=",
            "torch=",
        ),
    ),
    Format(
        "python_session",
        (
            "[msc v",
            "[gcc",
            "[clang",
            ">>>",
            "in [",
            "-c ",
            " on win32",
            "anaconda",
            "torch.__version__",
            "torch.version.cuda",
            "is_available()",
            "get_device_name(",
        ),
    ),
    Format(
        "one_liners",
        (
            *("torch", "cuda", "+cu", "python", "gpu", "pip", "package", "numpy", "venv", "version of", "✅"),
            *("nvidia", "linux", "pyenv"),
        ),
    ),
    Format(
        "pip_output",
        (
            "requirement already",
            "using cached",
            "downloading ",
            "installed ",
            "no matching distribution",
            "successfully installed",
            "you have",
            "you'll have",
            "name: ",
        ),
    ),
    Format(
        "labelled",
        (
            "torch",
            "python",
            "gpu",
            "driver",
            "platform",
            "os:",
            "os ",
            "os**",
            "cuda",
            "system",
            "vram",
            "rtx",
            "gtx",
            "nvidia",
            "显卡",
            "操作系统",
            "graphics",
            "：",
            "###",
        ),
    ),
    Format(
        "windows",
        (
            "microsoft windows [",
            "driverversion",
            "win32_",
            "-based pc",
            "snapdragon",
            "qualcomm",
            "arch=amd64",
            "10.0.",
            "build",
            "card name",
            "nvldumd",
            "memory",
            "ram",
            "操作系统",
            "mémoire",
            "speicher",
            "内存",
        ),
    ),
    Format("inventories", ("torch", "numpy", "transformers", "tensorflow", "onnx", "diffusers")),
    Format("paths", (":\\", ":/", "/", "win_amd64", "scripts\\python", ".py:")),
    Format("prose", _PROSE),
    # After those that know which torch there is.
    Format("told_installs", (" install ", " add ", "python=", "python =", " venv ")),
    # What none of the others says.
    Format("mentions", (*_PROSE, "numpy", "conda", "venv", "cu1")),
)
