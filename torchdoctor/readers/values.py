"""Read versions, systems, GPUs and sizes out of what a line says, or nothing if it is not certain."""

import re
from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_names import SERIES_OF_AMD
from torchdoctor.readers.statements import Topic

# A topic, its value, and its subject.
Said = tuple[Topic, str, str]

VERSION = r"\d{1,4}(?:\.\d{1,5}){1,3}(?:\.?(?:dev|post|a|b|rc)\d{0,10})?(?:\+\w{1,20}(?:\.\w{1,20}){0,3})?"
# The build of a package, as only conda names one.
CONDA_BUILD = r"(?:pypi_0|(?:[a-z]\w{0,20}_)?(?:py\d[\w.]{0,20}|h[0-9a-f]{6,7})(?:_\w{1,20}){1,4})"
# What may not follow a version in a sentence.
NO_MORE = r"(?![A-Za-z0-9_*]|\+(?!py|cuda|cudnn|torch|win|numpy|vs)|\.[\dx*])"
_TORCH = (
    r"v?(?P<version>[012]\.\d{1,2}(?:\.\d{1,2})?(?:\.?(?:dev|post|a|b"
    r"|rc)\d{0,10})?(?:\+\w{1,20}(?:\.\w{1,20}){0,3})?)(?![\w*]|\.[\dx*])"
)
# What follows a version that is only a limit, as in "2.0 or newer".
_LIMIT = (
    r"(?:\+(?!\w|\s?\(?cuda)|\s{0,2}(?:(?:or|and|/|,) ?v?\d\.\d|or (?:newer|higher|later|above)"
    r"|and (?:newer|above|up|later)|以上|及以上|以下|以降|未満|未满|이상|이하|미만|부터|~|to \d|-\s?\d"
    r"|o (?:superior|más|mayor)|ou (?:plus|supérieur|superior|mais)"
    r"|et (?:plus|supérieur)|oder (?:neuer|höher)|и (?:выше|новее)|или (?:выше|новее)|e (?:superior|acima)))"
)
# "cu12" names no release of CUDA.
_BUILD_TAG = r"\+(?:pt\d+)?(?:cu(?P<cuda>[789]\d|1\d\d)(?!\d|\.\d)|(?P<cpu>cpu)|(?P<other>rocm|xpu))"
# What people write of a build behind its version.
_BUILD_WORDS = (
    r"[`*'\"]{0,3}[\s,;(（|/+_-]{1,4}(?:(?:pip|conda|stable|nightly|build|built|compiled|with|for|using"
    r"|w/)[ ,]{1,2}){0,3}"
    # "py3.9_cuda11.3_cudnn8_0" is the build of conda's package.
    r"(?:(?:py3\.\d{1,2}_)?cuda(?: version)?[ :=-]{0,2}v?"
    r"(?P<cuda>1[0-3]\.\d|9\.\d)(?:\.\d{1,3})?(?!\.?[^\W_])"
    r"|\+?cu(?P<tag>1[0-3]\d|9\d)\b"
    r"|cpu(?=[ -]?(?:only|version|build|wheel|variant)\b|\s{0,2}(?:[)）\],.;|]|$|\s[/+]\s)|\s(?:with"
    r"|and|on|under)\b))"
)
# The tag of a build as people write it: "+cu12.1", "+ cu121".
_SPELLED_TAG = r"(?<![\w.])(?P<plus>\+ ?)?cu ?(?P<major>9|1\d)\.(?P<minor>\d)(?![\w.]\w)"
_SPELLED_VERSION = r"(torch[ `*:=v]{0,5}[12]\.\d{1,2}(?:\.\d{1,2})?) {0,2}\+ {0,2}(?=cu\d{2,3}\b|cpu\b)"
_PYTHON = r"v?(?P<version>[23]\.\d{1,2}(?:\.\d{1,2})?(?:(?:a|b|rc)\d{1,2})?)(?![\w*]|\.[\dfx*])"
# A console may wrap the line after the bits.
_COMPILER_BITS = r"\[MSC v\.\d{4} (?P<bits>32|64)\b(?: bit)?(?: \((?P<machine>AMD64|ARM64|Intel|ARM)\))?"
_BITS = (
    r"[ ,(（-]{1,3}(?:(?P<bits>32|64)[ -]?(?:bits?\b|位|бит|ビット|비트)|(?P<x64>x64|x86[_-]64|amd64)\b"
    r"|x86\b)"
)
# Only CPython is built for Windows on ARM.
_ARM64 = r"[ ,(（-]{1,3}arm64\b"
ARM64_PYTHON: tuple[Said, ...] = (
    (Topic.PYTHON_BITS, "64", ""),
    (Topic.PYTHON_MACHINE, "arm64", ""),
    (Topic.PYTHON_IMPLEMENTATION, "CPython", ""),
)
_RUNTIME_BITS = r"\((?P<bits>32|64)-bit runtime\)"
_CONDA_BANNER = r"packaged by (?:conda-forge|Anaconda)|\|\s?Anaconda|Anaconda, Inc\.|Continuum Analytics"
_WINDOWS_BUILD = r"(?<!Kernel: )\b10\.0\.(?P<build>\d{5})\b"
# The number alone, behind the name of the system.
_BARE_BUILD = (
    r"(?:(?<![(（])(?<!10\.0, )\b(?:os )?build:?|内部版本|сборка)["
    r" :]{0,2}(?P<build>[12]\d{4})(?:\.\d{1,5})?\b"
    r"|[(（](?P<inside>[12]\d{4})(?:\.\d{1,5})?[)）]"
    # "win10 pro 22H2 19045"
    r"|\bwin(?:dows)? ?(?:10|11|server 20\d\d)(?:[ ,]{1,2}(?:home|pro|professional|enterprise|education"
    r"|ltsc|iot|x64|64[ -]?bits?"
    r"|\d\dh\d|version|ver\.?|os|insider|\(?v?\d{4}\)?)){0,4}[ ,]{1,2}v?"
    r"(?P<named>10240|10586|14393|15063|16299|17134|17763|1836[23]|1904[1-5]|20348|22000|226[23]1"
    r"|2[5-9]\d{3})(?:\.\d{1,5})?(?!\w|\.\d)"
)
_WINDOWS = (
    r"\bwindows(?:[ _-]|\b)|\bwin(?:32|64|1[01])\b|\bwin ?(?:7|8|10|11)\b|\bw1[01]\b"
    r"|\bwindows(?=1[01])|\bwin ?server ?20\d\d\b|윈도우|виндо?[вуы]\w{0,2} ?(?=1[01]|7|8|\b)"
    r"|\bwin ?(?:ltsb|ltsc|1[5-9]0[379]|1909|2004|2[0-5]h[12])\b"
    # A window of another kind has a number as well.
    r"|(?:^|[,:;(] ?|\b(?:in|on|under|my|use|using|os) )window ?1[01]\b(?! ?(?:times|x\b|px|%|[a-z]{2,8}s\b))"
)
_LINUX = (
    r"\blinux(?:mint)?\b|\bubuntu(?![a-z_-])|\bdebian\b|\bcentos\b|\bfedora\b|\bmanylinux|\bwsl2?\b|\barch"
    r" linux\b|\brhel\b|\bred hat\b|\bpop!?_os\b|\bmanjaro\b"
)
_WSL_ON = r"\bwsl ?[12]?\b[^,;\n]{0,30}?\b(?:on|under|in|auf|sur) (?:windows|win ?1[01])\b"
# What is said to be without WSL is Windows.
_NO_WSL = (
    r"[,;(（]? ?\b(?:no|not|without|non|outside|native,? no)\b (?:using |in |on |under |via |through "
    r"|inside )?WSL ?[12]?\b[)）]?"
)
_WSL = r"\bwindows sub-?system for linux(?: (?=[12]\b))?"
_DARWIN = r"\bmacos\b|\bmacbook\b|\bmac ?mini\b|\bmac os\b|\bdarwin\b|\bos ?x\b"
_WINDOWS_NAME = (
    r"\bw(?P<letter>1[01])\b|windows ?(?:server \d{4}|1[01]|[78](?:\.1)?|vista|xp)\b"
    r"|윈도우 ?(?P<korean>1[01])|\bwin(?:dow)?"
    r" ?(?P<short>1[01]|[78])\b|windows-(?P<dashed>1[01]|[78])-"
)
# A Windows for 32 bits, and not a program that runs on it.
_WINDOWS_32 = (
    r"\bwin(?:dows)? ?(?:xp|vista|7|8(?:\.1)?|10)(?: (?:home|pro|professional|ultimate|enterprise"
    r"|sp ?\d)){0,2}"
    r"[ ,(（-]{1,3}(?:32[ -]?(?:bits?\b|位)|x86\b(?![_-]64))(?![ -]?(?:version of )?python)"
)
# The names of NVIDIA's cards; a number alone is one only beside other words.
_NVIDIA = (
    r"(?:NVIDIA[ -])?(?:(?:GeForce[ -])?(?:RTX|GTX|GT|MX)[ -]?\d{3,4}(?!\d)(?:[ -]?(?:Ti"
    r"|SUPER|Max-Q|M|D|Ada(?: Generation)?)\b){0,3}(?:[ -](?:Laptop(?: GPU)?|Mobile|Notebook)\b)?"
    r"|Jetson (?:AGX )?(?:Orin|Xavier|Nano|TX[12]|Thor)(?: (?:Nano|NX|AGX|Super)\b){0,2}"
    r"|GeForce[ -]\d{3,4}(?!\d)(?: ?(?:Ti|SUPER|M)\b){0,2}|CMP ?\d{2,3}HX|NVS[ -]?\d{3,4}M?|(?:Quadro|Tesla"
    r"|TITAN)[ -](?:RTX[ -]?)?[A-Z]{0,2}\d{0,4}\w{0,4}"
    r"|RTX[ -]A\d{3,4}|(?:RTX )?PRO \d{4}|(?:A100|A10G?|A30|A40)(?:-\d{1,2}[QCBA]\b)?|H100|H200|L4|L40S?"
    r"|T4|V100|P100|P40|M40|K80|B200)"
)
_OTHER_MAKERS = (
    rf"{SERIES_OF_AMD}|"
    r"\bradeon\b|\bamd (?:rx|vega|fire)|\brx ?\d{3,4}\b|\bintel\(?r?\)? ?(?:arc|iris|uhd|hd|xe)\b"
    r"|\barc\(?t?m?\)? ?[ab]\d{3}|\bapple m[1-9]\b"
)
# The memory of a card beside its name: (8 GB), VRAM 8GB, 8 GB of VRAM, 8,188 MiB.
_CARD_MEMORY = (
    r"(?<!\bRAM)(?<!\bRAM:)(?:[(（]\s?|\bVRAM:? ?|,\s?|\s|-)[~≈]?(?:(?P<gib>\d{1,3}(?:[.,]\d{1,2})?) ?(?:GB"
    r"|GiB|Go|G|ГБ)"
    r"|(?P<mib>\d{4,6}|\d{1,3}[,.]\d{3}) ?(?:MiB|MB))(?![A-Za-z0-9])"
    r"(?! ?(?:(?:of|de|di|do|system|DDR\d|host|main|shared) ){0,2}(?:RAM\b|L?P?DDR|内存|メモリ|ОЗУ"
    r"|Arbeitsspeicher)"
    r"| free| used| disk| SSD| in use)"
)
# The version of NVIDIA's driver as Windows writes it: the last five digits are those of NVIDIA.
_WINDOWS_DRIVER = r"\b\d{2}\.\d{1,2}\.1(?P<major>\d)\.(?P<rest>\d{2})(?P<minor>\d{2})\b"
_UNITS = {
    "MB": 1 << 20,
    "MIB": 1 << 20,
    "GB": 1 << 30,
    "GIB": 1 << 30,
    "M": 1 << 20,
    "G": 1 << 30,
    "KB": 1 << 10,
    "K": 1 << 10,
    "GO": 1 << 30,
    "MO": 1 << 20,
    "GIO": 1 << 30,
    "MIO": 1 << 20,
    "ГБ": 1 << 30,
    "МБ": 1 << 20,
}
_SIZE = (
    r"(?P<number>\d{1,3}(?:[,.\u00a0\u202f ]\d{3})+"
    r"|\d{1,12}(?:[.,]\d{1,6})?)\s?(?P<unit>[KMGkmg](?:i?[Bb])?(?![A-Za-z])|[GMgm]i?o\b|ГБ|МБ|гб)"
)
_TRUTH = (
    r"[\s'\"`*(✅✔☑❌✖✗✘\ufe0f]{0,5}(?:returns? |returned )?(?:(?:true|yes|available|enabled|ja|oui"
    r"|sí|si|да|sim|verfügbar|disponible|доступна?)(?!\w)|是|可用|はい|利用可能?|有効|예|네|사용 ?가능"
    r"|(?P<no>(?:false|no|not available|unavailable|disabled|not detected|nein|non|нет|não|nicht verfügbar"
    r"|no disponible|недоступна?)(?!\w)|否|不可用|いいえ|無効|利用不可|아니|아니요|사용 ?불가))"
)


def spell_tags(line: str) -> str:
    """Return a line with the tags of builds as torch writes them."""
    lowered = line.lower()
    if "cu" not in lowered and "cpu" not in lowered:
        return line
    line = pattern(_SPELLED_TAG, True).sub(
        lambda tag: f"{tag['plus'] or ''}cu{tag['major']}{tag['minor']}", line
    )
    return pattern(_SPELLED_VERSION, True).sub(r"\1+", line) if "+" in line else line


def read_torch(text: str) -> Iterator[Said]:
    """Yield the version of torch at the start of a text, and the CUDA version that its tag names."""
    match = pattern(_TORCH).match(text.strip().strip("'\"`"))
    if match is None or is_limit(text.strip()[match.end() :]):
        return
    yield Topic.TORCH, match["version"], ""
    yield from read_build_tag(match["version"])


def read_build(text: str) -> Iterator[Said]:
    """Yield the version of torch at the start of a text, and its CUDA by the tag or the words behind it."""
    said = list(read_torch(text))
    yield from said
    version = next((value for topic, value, _ in said if topic is Topic.TORCH), "")
    if len(said) == 1 and "+" not in version:
        yield from read_build_words(text[text.find(version) + len(version) :])


def read_build_words(rest: str) -> Iterator[Said]:
    """Yield the CUDA of a build by the words behind its version: "(CUDA 12.1)", ", cu121", "CPU only"."""
    words = pattern(_BUILD_WORDS, True).match(rest)
    if words is None:
        return
    if words["tag"]:
        yield Topic.TORCH_CUDA, f"{words['tag'][:-1]}.{words['tag'][-1]}", ""
    else:
        yield Topic.TORCH_CUDA, words["cuda"] or "none", ""


def is_limit(rest: str) -> bool:
    """Return whether what follows a version makes it a limit, or one of several."""
    return pattern(_LIMIT, True).match(rest) is not None


def read_build_tag(version: str) -> Iterator[Said]:
    """Yield the CUDA version that the tag of a version names, "none" for a CPU build."""
    tag = pattern(_BUILD_TAG).search(version)
    if tag is None:
        return
    if tag["cuda"]:
        yield Topic.TORCH_CUDA, f"{tag['cuda'][:-1]}.{tag['cuda'][-1]}", ""
    elif tag["cpu"]:
        yield Topic.TORCH_CUDA, "none", ""


def read_installed(name: str, version: str) -> Iterator[Said]:
    """Yield the version of an installed package, and for torch what it says of the build."""
    if name.lower() == "torch":
        yield from read_torch(version)
    yield Topic.PACKAGE, version, name


def read_python(text: str) -> Iterator[Said]:
    """Yield what the version of a Python, or the banner that it prints, says of it."""
    text = text.strip().strip("'\"`")
    match = pattern(_PYTHON).match(text)
    if match is None or is_limit(text[match.end() :]):
        return
    yield Topic.PYTHON, match["version"], ""
    bits = pattern(_BITS, True).match(text[match.end() :])
    if pattern(_ARM64, True).match(text[match.end() :]):
        yield from ARM64_PYTHON
    elif bits:
        yield Topic.PYTHON_BITS, bits["bits"] or ("64" if bits["x64"] else "32"), ""
    else:
        yield from read_compiler(text)


def read_compiler(text: str) -> Iterator[Said]:
    """Yield what the part of Python's banner in brackets says: the system, the bits, conda."""
    compiler = pattern(_COMPILER_BITS).search(text)
    runtime = pattern(_RUNTIME_BITS).search(text)
    if compiler:
        machine = {"AMD64": "x64", "ARM64": "arm64", "Intel": "x86"}.get(compiler["machine"])
        yield Topic.SYSTEM, "windows", ""
        yield Topic.PYTHON_BITS, compiler["bits"], ""
        if machine:
            yield Topic.PYTHON_MACHINE, machine, ""
        yield Topic.PYTHON_IMPLEMENTATION, "PyPy" if "PyPy" in text else "CPython", ""
    elif "[GCC " in text:
        yield Topic.SYSTEM, "linux", ""
    if runtime and not compiler:
        yield Topic.PYTHON_BITS, runtime["bits"], ""
    if pattern(_CONDA_BANNER).search(text):
        yield Topic.PYTHON_ORIGIN, "conda", ""


def read_system(text: str) -> Iterator[Said]:
    """Yield the system that a text names, and the version of Windows."""
    if "wsl" in text.lower():
        text = pattern(_NO_WSL, True).sub("", text)
    text = pattern(_WSL, True).sub("WSL", text)
    systems = [
        name
        for name, regex in (("windows", _WINDOWS), ("linux", _LINUX), ("darwin", _DARWIN))
        if pattern(regex, True).search(text)
    ]
    if text.strip().strip("'\"`") == "nt":
        systems = ["windows"]
    if pattern(_WSL_ON, True).search(text) or pattern(r"[\s*`]{0,4}wsl ?[12]?\b", True).match(text):
        systems = ["linux"]
    # "Linux-5.15.90.1-microsoft-standard-WSL2" is a Linux; "Windows 11, WSL" is either.
    if len(systems) != 1:
        return
    yield Topic.SYSTEM, systems[0], ""
    if systems[0] == "windows":
        builds = list(read_windows_build(text))
        yield from builds
        bare = None if builds else pattern(_BARE_BUILD, True).search(text)
        if bare:
            yield Topic.WINDOWS_BUILD, bare["build"] or bare["inside"] or bare["named"], ""
        if pattern(_WINDOWS_32, True).search(text):
            # It runs no program for 64 bits.
            yield Topic.PYTHON_BITS, "32", ""
        name = pattern(_WINDOWS_NAME, True).search(text)
        if name:
            number = (
                name["letter"]
                or name["short"]
                or name["dashed"]
                or name["korean"]
                or name[0][7:].strip().title()
            )
            yield Topic.SYSTEM_VERSION, number, ""


def read_windows_build(text: str) -> Iterator[Said]:
    """Yield the build number in a version of Windows."""
    build = pattern(_WINDOWS_BUILD).search(text)
    if build:
        yield Topic.WINDOWS_BUILD, build["build"], ""


def read_card_memory(text: str) -> int | None:
    """Return the memory in bytes that a text beside the name of a card states, None if it names several."""
    sizes = {
        float(match["gib"].replace(",", ".")) * (1 << 30)
        if match["gib"]
        else float(re.sub(r"\D", "", match["mib"])) * (1 << 20)
        for match in pattern(_CARD_MEMORY, True).finditer(text)
    }
    return round(sizes.pop()) if len(sizes) == 1 else None


def read_windows_driver(text: str) -> str | None:
    """Return the version of NVIDIA's driver in what Windows writes of it (32.0.15.6078), or None."""
    match = pattern(_WINDOWS_DRIVER).search(text)
    return f"{match['major']}{match['rest']}.{match['minor']}" if match else None


def find_gpu(text: str) -> str | None:
    """Return the name of an NVIDIA GPU in a text, as written, or None."""
    match = pattern(_NVIDIA, True).search(text)
    return match[0].strip() if match else None


def is_gpu(name: str) -> bool:
    """Return whether a name is that of a GPU, of any maker."""
    return is_nvidia(name) or pattern(_OTHER_MAKERS, True).search(name) is not None


def is_nvidia(name: str) -> bool:
    """Return whether a name is that of an NVIDIA GPU."""
    return "nvidia" in name.lower() or find_gpu(name) is not None


def read_truth(text: str) -> str | None:
    """Return "yes" or "no" if a text is a truth value of Python or a word for one."""
    word = pattern(_TRUTH, True).match(text)
    if word is None:
        return None
    return "no" if word["no"] else "yes"


def read_bytes(text: str, unit: str = "") -> int | None:
    """Return the first size of a text in bytes; `unit` is that of a number without one."""
    match = pattern(_SIZE).search(text)
    if match:
        number, unit = match["number"], match["unit"]
        grouped = pattern(r"\d{1,3}(?:[,.\u00a0\u202f ]\d{3})+").fullmatch(number)
        if (grouped and not pattern(r"\d{1,2}[.,]\d{3}").fullmatch(number)) or (
            grouped and unit[0] in "MmKk"
        ):
            number = re.sub(r"\D", "", number)
        return round(float(number.replace(",", ".")) * _UNITS[unit.upper().replace("IB", "B")])
    plain = pattern(r"\d{1,15}(?:\.\d{1,3})?").search(text) if unit else None
    return round(float(plain[0]) * _UNITS[unit]) if plain else None
