"""The labels of reports and forms, and what reads the value of each."""

from collections.abc import Callable, Iterator, Mapping

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import labelled_values
from torchdoctor.readers.known_packages import PACKAGE_NAMES
from torchdoctor.readers.label_words import normalise, strip_label, strip_question
from torchdoctor.readers.values import Said
from torchdoctor.readers.wishes import WISH

# Yields what a value says; the label before it is in lower case.
ReadValue = Callable[[str, str], Iterator[Said]]

_PLACE = (
    r"(?<=[\w)]) (?:in|of|inside) (?!.*\b(?:base|global|other)\b)(?:the |my )?[\w. -]{1,30}$"
    r"| \((?:in )?(?:venv|conda)\)$"
)
# The words of labels for what nvidia-smi calls the CUDA version, and for the CUDA that torch is built with.
_SMI_CUDA_WORDS = frozenset((
    "cuda", "nvidia-smi", "version", "reported", "shown", "in", "from", "by", "per", "via", "the", "of",
    "according", "to", "max", "driver", "supported", "output", "reports", "shows", "says", "as",
))  # fmt: skip
_TORCH_CUDA_WORDS = frozenset((
    "cuda", "torch", "pytorch", "version", "used", "by", "built", "build", "with", "for", "of", "in", "the",
    "compiled", "runtime", "wheel", "bundled", "from", "against", "s", "uses", "installed", "my",
))  # fmt: skip
# Of these with other words, it is not known what they are about.
_VAGUE_LABELS = frozenset((
    "name", "device", "hardware", "version", "windows", "memory", "sm", "graphics", "accelerator", "system",
    "os", "ram",
))  # fmt: skip


def find_reader(name: str) -> ReadValue | None:
    """Return what reads the value of a normalised label.

    A place ("torch in .venv") and words that say that it is there ("installed torch") do not matter.
    """
    whole, name = name, pattern(_PLACE).sub("", name)
    found = _READERS.get(name) or _READERS.get(name.removesuffix(" version"))
    if found:
        return found
    plain = strip_label(strip_question(name)).removesuffix(" gb")
    if plain == "cuda":
        return labelled_values.read_cuda
    if "cuda" in whole and len(whole) < 60:
        words = frozenset(pattern(r"[^\w,/&+-]+").sub(" ", whole).split())
        if "nvidia-smi" in words and words <= _SMI_CUDA_WORDS:
            return labelled_values.read_driver_cuda
        if "(cuda)" not in whole and words & {"torch", "pytorch"} and words <= _TORCH_CUDA_WORDS:
            return labelled_values.read_torch_cuda
    return None if plain in _VAGUE_LABELS else _READERS.get(plain)


def guess_reader(name: str) -> ReadValue | None:
    """Return what reads the value of a normalised label that only has a known word."""
    if pattern(WISH).search(name) or name.endswith((" free", " used")):
        return None
    if "python" in name and not name.startswith("set "):
        return labelled_values.read_executable
    if name.endswith(" gpu"):
        return labelled_values.read_gpu
    if name.startswith("vram "):
        return labelled_values.read_gpu_memory
    return labelled_values.read_memory if name.startswith("ram ") else None


def names_version(label: str) -> bool:
    """Return whether a label is that of torch, Python or a package."""
    read_value = _READERS.get(normalise(label).removesuffix(" version"))
    return read_value in (
        labelled_values.read_torch,
        labelled_values.read_python,
        labelled_values.read_package,
    )


def _make_labels() -> Mapping[str, ReadValue]:
    """Return the function for each label; " version" at the end of one does not matter."""
    labels: dict[str, ReadValue] = dict.fromkeys(PACKAGE_NAMES, labelled_values.read_package)
    for names, read_value in _LABELS:
        labels.update((name.strip(), read_value) for name in names.split("|"))
    return labels


_LABELS = (
    ("torch|pytorch|torch info|pytorch info|pytorch framework|torch. version", labelled_values.read_torch),
    ("python|python3|sys.version|global python|python interpreter|파이썬|питон", labelled_values.read_python),
    (
        "os|platform|operating system|operating systems|operating system (os)|system|sys.platform|windows"
        "|python platform|os name|os platform|os info|my os|host os|system os|version|操作系统|系统|系統"
        "|作業系統|ос"
        "|betriebssystem|système|système d'exploitation|sistema|sistema operativo|운영체제|os version|os"
        " build"
        "|windows version|system version|操作系统版本|系统版本|операционная система|система|os バージョン"
        "|sistema operacional|système exploitation|besturingssysteem|system operacyjny|işletim sistemi"
        "|hệ điều hành|os (windows)|os & version|environment os|client os|desktop os|dev os|host system"
        "|host platform|runtime os|operating system and version|os and version|os/platform|작업 환경|マシン"
        " os",
        labelled_values.read_system,
    ),
    ("win32|windows build", labelled_values.read_windows),
    (
        "cuda available|is cuda available|cuda is available|gpu available|has cuda|torch cuda available"
        "|cuda available (pytorch)|is cuda available (pytorch)|torch.cuda.is available()"
        "|torch.cuda.is available|torch cuda is|cuda 是否可用|是否可用 cuda|cuda可用|cuda 可用|gpu"
        " 可用|cuda 利用可能|cuda使用可能"
        "|cuda доступна|доступность cuda|cuda verfügbar|cuda disponible|cuda disponível|cuda"
        " disponibile|cuda 사용 가능"
        "|cuda status|cuda support|cuda enabled|cuda is enabled|cuda.is available()|is available()"
        "|is available|torch cuda is available|gpu enabled",
        labelled_values.read_truth,
    ),
    (
        "cuda used to build pytorch|torch cuda|pytorch cuda|cuda compiled|torch.version.cuda",
        labelled_values.read_torch_cuda,
    ),
    (
        "cuda runtime|nvcc|cuda toolkit|cuda compiler|nvidia cuda toolkit|nvcc -v|nvcc - version|nvcc release"
        "|cuda sdk|local cuda toolkit|cuda toolkit (nvcc)",
        labelled_values.read_toolkit,
    ),
    ("cuda home|cuda path|cuda root", labelled_values.read_toolkit_folder),
    (
        "driver|nvidia driver|gpu driver|graphics driver|cuda driver|geforce driver|driver ver|显卡驱动"
        "|treiber|ドライバ|ドライバー|nvidia driver version|gpu driver version|cuda driver version"
        "|pilote nvidia|controlador nvidia|nvidia treiber|nvidia-treiber|драйвер nvidia|nvidia 驱动|驱动"
        "|driver nvidia|nvidia驱动|显卡驱动程序|驱动程序|驅動程式|顯卡驅動|nvidia ドライバー|nvidia ドライバ"
        "|グラフィックドライバー"
        "|grafiktreiber|treiberversion|treiber version|драйвера|драйвера nvidia|controlador"
        "|controlador nvidia|pilote gpu"
        "|gpu treiber|gpu-treiber|grafikkartentreiber|pilote|pilote graphique|драйвер"
        "|драйвер видеокарты|드라이버|nvidia 드라이버|nvidia graphics driver|nvidia gpu driver|display"
        " driver"
        "|video driver|gpu drivers|nvidia drivers|drivers|driver gpu|nvidia-driver|windows nvidia driver",
        labelled_values.read_driver,
    ),
    (
        "cuda version reported by driver|driver cuda|driver cuda version|cuda version (driver)|max cuda"
        "|cuda max supported by driver|max supported cuda (driver)|max supported cuda"
        "|cuda supported by driver"
        "|driver max cuda|cuda supported|highest supported cuda|maximum cuda version|cuda driver api"
        "|cuda (driver)|max cuda version|cuda version of driver|nvidia-smi cuda version|nvidia-smi cuda",
        labelled_values.read_driver_cuda,
    ),
    (
        "cuda compute|cuda compute level|compute cap|sm version|gpu architecture|cuda arch|gpu arch"
        "|compute capability|gpu compute capability|cuda compute capability|cuda capability|sm|capability"
        "|device capability|torch.cuda.get device capability()|torch.cuda.get device capability(0)",
        labelled_values.read_capability,
    ),
    (
        "vram|gpu vram|gpu memory|video memory|gpu ram|vram size|total vram|显存|gpu 显存|显卡显存|gpu显存"
        "|顯存"
        "|gpu memory total|total gpu memory|graphics memory|dedicated video memory|dedicated gpu memory"
        "|видеопамять|ビデオメモリ|grafikspeicher|videospeicher|mémoire vidéo|memoria de video|memória de"
        " vídeo"
        "|gpu total memory|device memory|cuda memory|vram total|memoria de vídeo|memoria vídeo"
        "|비디오 메모리|그래픽 메모리"
        "|グラフィックスメモリ|gpu メモリ|gpuメモリ|gpu 内存|mémoire gpu|memoria gpu|memória gpu"
        "|gpu speicher|память gpu",
        labelled_values.read_gpu_memory,
    ),
    ("driver model", labelled_values.read_driver_model),
    ("nvidia-smi|nvidia smi", labelled_values.read_smi),
    (
        "library compiled for cuda architectures|torch.cuda.get_arch_list()",
        labelled_values.read_architectures,
    ),
    (
        "gpu|gpus|gpu name|gpu type|gpu model|gpu models and configuration|gpu device|gpu card|gpu used"
        "|gpu info|gpus used|graphics|graphics card|graphic card|video card|accelerator|nvidia gpu"
        "|nvidia gpu models|cuda device|cuda device name|cuda gpu|device|device name|name|hardware"
        "|torch detected gpu|using torch device|using device|gpu model and memory|nvidia (index)"
        "|gpu cuda capability (maj.min)|显卡|grafikkarte|carte graphique|tarjeta gráfica|placa de vídeo"
        "|그래픽카드|видеокарта|グラフィックボード|グラボ|グラフィックカード|グラフィックス|顯卡|顯示卡"
        "|独立显卡"
        "|显卡 gpu|그래픽 카드"
        "|tarjeta grafica|tarjeta de video|tarjeta de vídeo|placa de video|scheda video|scheda grafica"
        "|karta graficzna|grafische kaart|ekran kartı|card đồ họa|gpu adapter|display adapter|video adapter"
        "|graphics adapter|graphics processor|nvidia card|nvidia graphics card|gpu hardware|gpu 0|gpu unit"
        "|gpu present|target gpu|dev gpu|training gpu|local gpu|test gpu|gpu(s)|gpu/accelerator|gpu device"
        " name"
        "|torch.cuda.get device name(0)|torch.cuda.get device name",
        labelled_values.read_gpu,
    ),
    (
        "total physical memory (gb)|ram|memory|system ram|total ram|physical ram|host ram|ram size"
        "|system memory|primary memory|total memory|physical memory"
        "|total physical memory|ram total|memory size|メモリ"
        "|内存|озу|оперативная память|память|mémoire vive|speicher ram|系统内存大小"
        "|arbeitsspeicher|mémoire|mémoire ram|memoria ram|ram détectée|installed memory|記憶體"
        "|installed memory (ram)|物理内存|系统内存|运行内存|memória ram|pamięć ram|メモリー|메모리|램|host"
        " memory|cpu ram|cpu memory|total system ram"
        "|total system memory|main memory|werkgeheugen|hauptspeicher|system ram total|mem",
        labelled_values.read_memory,
    ),
    (
        "environment|env|python environment|python env|virtual environment|virtual env|virtualenv"
        "|package manager"
        "|environment manager|env manager|env type|environment type|installation method|install method"
        "|installation type|installed via|installed with|installed using|how you installed pytorch"
        "|how did you install|how did you install pytorch|how you installed pytorch (conda, pip, source)"
        "|installation|conda env|conda environment|conda version|conda"
        "|安装方式|虚拟环境|python 环境|环境|環境"
        "|umgebung|entorno|environnement|ambiente|окружение|виртуальное окружение|virtuelle umgebung"
        "|entorno virtual|environnement virtuel|ambiente virtual|ambiente virtuale|仮想環境",
        labelled_values.read_surroundings,
    ),
    (
        "executable|sys.executable|python executable|python path|python executable path|python bin",
        labelled_values.read_executable,
    ),
)
_READERS = _make_labels()
