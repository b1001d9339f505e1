"""Find out what a text is about: torch, another program, a game, or an error that nobody has."""

from collections.abc import Sequence
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.computer.platforms import is_foreign
from torchdoctor.explain.text.split import Unit

# The names by which a text shows another program.
_OTHER_PROGRAM = (
    r"load failed while importing (?!_C\b)(\w{1,80})|[\\/]site-packages[\\/](?!pip[\\/])(\w{1,80})[\\/]"
    r"|([\w.-]{1,80})\.(?:dll|pyd|so)\b|\b(?!python|py\.|pip|conda|cmd\.|powershell|uv\.)([\w-]{1,80})\.exe\b"
    r"|\b(tensorflow|keras|theano|mxnet|paddle|qgis)"
    r"|\bfrom \.{0,3}(\w{1,80})(?:\.\w{1,80}){0,8} import\b|(?:<module>|>>>|-> \d{1,6}) import (\w{1,80})"
)
# Any text about a Python program matches this; in another text, a Windows message may be any program's.
_PYTHON = (
    r"python|pycharm|\bpip\b|conda|\.pyd?\b|\bimport|traceback|\bwin ?error|\b[a-z]{2,40}Error\b|load failed"
    r"|\bfinished with exit|cudnn|\bOMP\b|\bmkl|退出代码|one of its dependencies|Packages?NotFound|os error"
)
# A person who says that the program is of another language.
_DENIES_PYTHON = (
    r"\b(?:i have|there is|has|uses?|needs?) no python\b|\bno python (?:is )?(?:here|installed|involved|on)\b"
    r"|\bnot (?:a |in |written in )python\b"
    r"|\b(?:is|it'?s) an? (?:kotlin|java|c#|\.net|electron|delphi|golang|swift)"
    r" (?:program|app|application|tool)\b"
)
_PYTHON_FAILED = r"traceback \(|\b[a-z]{2,40}error: |site-packages"
_EXIT_CODE = r"(?:error|exit) ?(?:code)? ?:? ?(?:0x[0-9a-f]{8}|-?\d{9,10})|0x[0-9a-f]{8}|-?\d{9,10}"
_TORCH = (
    r"torch|[\\/](?:accelerate|bitsandbytes|comfy|deepspeed|detectron2|diffusers|fastai|gradio|kohya_ss|lightning"
    r"|mmcv|mmengine|peft|safetensors|timm|transformers|trl|ultralytics|whisper|xformers)[\\/]"
    r"|\b(?:easyocr|faster[_-]whisper|pyannote|sentence[_-]transformers|whisperx)\b"
    r"|\bwhisper model|\bcomfyui|stable-diffusion-webui|\bstable ?diffusion\b|\bwebui-user\.bat"
    r"|\bultralytics\b|\bxformers\b|\d\.\d{1,2}\.\d\+(?:cpu|cu1[1-3]\d|xpu)\b"
)
# Programs that use CUDA without torch, by what they print.
_OTHER_CUDA_PROGRAM = (
    r"\bD?ggml[_-]|\bollama\b|llama[._]cpp|llama runner|whisper\.cpp|\bdarknet\b|\bkatago\b|stream_executor"
    r"|\btensorflow[/\\.]|\bpaddle[/\\.]|\bmxnet\b|\bin func '\w"
    r"|\bcaffe(?:[/\\]|\b(?! ?2))|cudnn_conv_layer\.cpp|\b(?:g|nb|bz|lol|phoenix|t-rex ?)?miner\b"
    # clang compiles no CUDA of torch's, and no part of torch traces rays with OptiX.
    r"|\boptix\b|\bclang\+\+: warning: CUDA\b"
    r"|\bxmr(?:ig|-?stak)|\b(?:kawpow|ethash|etchash)\b|\blm ?studio\b|\bD?LLAMA_(?:CUBLAS|CUDA)\b"
    # Pictures and videos by ncnn and Vulkan, and models in GGUF.
    r"|\bupscayl\b|\bwaifu2x-(?:caffe|gui)\b"
    r"|\b(?:waifu2x|real-?esrgan|real-?cugan|srmd|rife|cain|dain|ifrnet)-ncnn\b"
    r"|\bSVP ?4\b|\bSVP ?(?:flow|manager|pro)\b|\bsmooth ?video ?project\b"
    r"|\bgpt4all\b|\bkobold ?cpp\b|\bllamafile\b"
    r"|\bjan(?:\.ai|hq)\b|\bjan (?:app|desktop)\b"
    # torch on Windows has no Vulkan.
    r"|\bvulkan (?:variant|back-?end|runtime|build)\b"
    # DirectML computes with Direct3D 12.
    r"|\bD3D11\b|\bdirect ?3D ?11\b"
    # Engines of games, and what calls Direct3D from .NET.
    r"|\bsharpgen\.|\bvortice\.|\bveldrid\.|\bat system\.[a-z]|\blogd3d1[12]rhi\b|\bunityplayer"
    r"|\bunreal ?engine|\bOpenCL \d\.\d\+ support\b|\bfolding slot\b"
)
# A program that is named by its file. Installers of Microsoft's runtime are what people tried.
_OTHER_EXECUTABLE = (
    r"(?<![\w.-])(?!python|pythonw|py\.|pip|conda|cmd\.|powershell|uv\.|vc_?redist|dxdiag|regedit|explorer)"
    r"[\w.-]{1,80}\.exe\b"
)
# Other languages: what builds their packages, and what their runtimes print when they fail. Some packages of
# Python are built by them, or contain them.
_OTHER_LANGUAGE = (
    r"\.vcxproj\b|\bcargo (?:build|check|install|run|test)\b|\bcould not compile `[\w-]{1,80}`"
    r"|\bpanicked at\b|\bhs_err_pid|\bjava hotspot|\bopenjdk\b|\bjava\.lang\.|\bos::commit_memory\b"
    r"|\bjvm\.dll\b|\bgoroutine \d{1,6} \[|\bnode:internal|\bjavascript heap\b|\b(?:gyp|npm) err!"
    r"|\bzig (?:build|build-exe|cc|run|test)\b|\.zig:\d"
)
_PYTHON_PACKAGE = r"python|\bpip\b|conda|\bsetup\.py\b|site-packages|traceback"
# torch for R, which has a library of its own and no Python.
_TORCH_FOR_R = (
    r"\b(?:lib)?lantern\.dll\b|\bmlverse/torch\b|\blibrary\([\"']?torch[\"']?\)|\binstall_torch\("
    r"|\binstall\.packages\([\"']torch[\"']|[\\/]R-\d\.\d{1,2}\.\d{1,2}[\\/]library[\\/]torch\b"
)
# What .NET says of a DLL that is not torch's.
_OTHER_DLL_OF_NET = r"\bUnable to load DLL '(?!(?:lib)?torch|c10)[^'\n]{1,80}'"
# A text about a game, whose crashes have the same codes and DLLs.
_GAME = r"\b(?:games?|gameplay|game launcher|launcher of|steam|mods?|crash(?:es|ed)? to desktop)\b"
# Where games are what still works on the computer. "Other games" are those beside the game that fails.
_GAME_ASIDE = (
    r"(?<!other )\bgames (?:all |also |just |still )?(?:run|work|play|are) (?:all |also |just |still )?"
    r"(?:totally )?(?:fine|flawlessly|great|normally|ok(?:ay)?|perfectly|smooth(?:ly)?|stable|well"
    r"|without (?:any |an )?(?:issues?|problems?|crash(?:es)?))\b(?!,? (?:at first|but|then|until)\b)"
    r"|(?<!other )\bgames (?:and|or) (?:\w{1,12} )?(?:benchmarks?|furmark|gpu-?burn|stress[- ]tests?)\b"
    r"|\b(?:can|could|able to) (?:also |still |easily )?(?:play|run) (?:all |any |my |many )?"
    r"(?:\w{1,12} )?games\b"
    r"|\b(?:never|not|n.t) (?:crash|freeze|happen|occur|reboot|restart|shut down)(?:e?s|ed)? (?:\w{1,8} )?"
    r"(?:in|with|during) (?:any )?games?\b"
    r"|\bno (?:crash(?:es)?|problems?|issues?) (?:in|with|during) (?:any |all |my )?games?\b"
)
_PYTHON_PROGRAM = (
    r"python|RuntimeError: CUDA|\bpip\b|conda|traceback|\.py\b|\btrain|\bmodel|comfyui|fooocus|web-?ui|kohya"
    r"|\bstable ?diffusion|\bgenerat\w{1,4} (?:an? |my |the )?(?:images?|pictures?|videos?)\b"
)
# A DLL that an import of a package could not load; by ctypes people then look which one it is.
_PACKAGE_FAILS = r"\bload fail(?:ed)? while importing\b"
# What people write of an error that they do not have, and files that list messages.
_NOT_HAD = (
    r"\bno longer (?:get|see|have)\b|\bworks now\b|(?-i:\bSOLVED\b)(?! ?\?)|\bnow it works ?(?:[.!]|$)"
    r"|\bnot my problem\b|\bnever seen\b"
    r"|\bmy error is different\b|(?:^|[-*] )Fixed: |\bdiff --git |@@ -\d|(?:\]|::\w{1,80}) PASSED\b|^msgid "
    r"|<string name=|^\s{0,8}sed -i|\bif you see\b"
)
# Only the driver in WSL gives the error (https://github.com/NVIDIA/nvidia-container-toolkit/issues/520).
_WSL = (
    r"\bWSL ?[12]?\b|microsoft-standard|\bcudaGetDeviceCount\(\)[^\n]{0,160}Error 500: named symbol not found"
)


class Subject(NamedTuple):
    """What a text is about.

    `is_wsl` is whether it comes from Linux on Windows.
    `is_other_executable` is whether a text with nothing of Python names a program by its file.
    `is_torch_for_r` is whether it is about torch for R, which pip has nothing to do with.
    `loads_own_dll` is whether a script without torch or packages, or a program of .NET, loads a DLL of its
    own choice.
    `other_programs` are the packages, modules and programs that a text without torch names, in lower case.
    `has_error` is false where people write of an error that they do not have, or a file lists messages.
    """

    is_foreign: bool
    is_wsl: bool
    shows_torch: bool
    shows_python: bool
    is_game: bool
    is_other_cuda_program: bool
    is_other_executable: bool
    is_torch_for_r: bool
    loads_own_dll: bool
    other_programs: frozenset[str]
    has_error: bool


def find_subject(units: Sequence[Unit]) -> Subject:
    """Return what a text is about."""
    shows_torch = _shows(_TORCH, units)
    denies_python = not shows_torch and _shows(_DENIES_PYTHON, units) and not _shows(_PYTHON_FAILED, units)
    return Subject(
        is_foreign=is_foreign(units),
        is_wsl=_shows(_WSL, units),
        shows_torch=shows_torch,
        shows_python=shows_torch or (_shows(_PYTHON, units) and not denies_python) or _is_only_code(units),
        is_game=not shows_torch and _is_about_game(units) and not _shows(_PYTHON_PROGRAM, units),
        is_other_cuda_program=not shows_torch and _is_other_cuda_program(units),
        is_other_executable=denies_python
        or (not shows_torch and not _shows(_PYTHON, units) and _shows(_OTHER_EXECUTABLE, units)),
        is_torch_for_r=_shows(_TORCH_FOR_R, units),
        loads_own_dll=_shows(_OTHER_DLL_OF_NET, units) or (not shows_torch and _loads_own_dll(units)),
        other_programs=frozenset() if shows_torch else _find_other_programs(units),
        has_error=not _shows(_NOT_HAD, units),
    )


def _is_about_game(units: Sequence[Unit]) -> bool:
    """Return whether a text names a game, and not only as what still works."""
    game, aside = pattern(_GAME, True), pattern(_GAME_ASIDE, True)
    return any(game.search(unit.text) and game.search(aside.sub(" ", unit.text)) for unit in units)


def _loads_own_dll(units: Sequence[Unit]) -> bool:
    if _shows(_PACKAGE_FAILS, units):
        return False
    paths = [unit.frame.path for unit in units if unit.frame is not None]
    has_ctypes = any(pattern(r"[\\/]ctypes[\\/]__init__\.py$", True).search(path) for path in paths)
    return has_ctypes and not any("site-packages" in path.lower() for path in paths)


def _shows(regex: str, units: Sequence[Unit]) -> bool:
    return any(pattern(regex, True).search(unit.text) for unit in units)


def _is_other_cuda_program(units: Sequence[Unit]) -> bool:
    if _shows(_OTHER_CUDA_PROGRAM, units):
        return True
    return _shows(_OTHER_LANGUAGE, units) and not _shows(_PYTHON_PACKAGE, units)


def _is_only_code(units: Sequence[Unit]) -> bool:
    """Return whether the text is no more than an exit code, which somebody was asked for."""
    return len(units) == 1 and pattern(_EXIT_CODE, True).fullmatch(units[0].text.strip()) is not None


def _find_other_programs(units: Sequence[Unit]) -> frozenset[str]:
    """Return the packages, modules and programs that a text without torch is about, in lower case."""
    regex = pattern(_OTHER_PROGRAM, True)
    return frozenset(
        next(filter(None, match.groups())).lower() for unit in units for match in regex.finditer(unit.text)
    )
