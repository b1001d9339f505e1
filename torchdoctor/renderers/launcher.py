"""Render a launcher: a .bat file to double-click that runs a program with `torchdoctor run`.

A comment in the file explains each variable that it sets.
"""

from collections.abc import Mapping, Sequence

from torchdoctor.core.record import record

MARK = "rem Written by torchdoctor"

# Set in every launcher, because a double-click opens a window that closes with the program, and nobody can
# inspect the process there.
_OWN_VARIABLES = (
    (
        "PYTHONFAULTHANDLER",
        "1",
        "A crash inside a DLL (0xC0000005) prints the Python line that it came from.",
    ),
    ("PYTHONIOENCODING", "utf-8:replace", "A character that the code page lacks cannot end the program."),
)
# Copied from the environment in which the launcher is written, because the program may depend on them.
_COPIED_VARIABLES = {
    "CUDA_VISIBLE_DEVICES": "The GPUs that the program may see.",
    "CUDA_DEVICE_ORDER": "The order in which GPUs are numbered.",
    "CUDA_LAUNCH_BLOCKING": "GPU errors are raised where they happen; slow.",
    "OMP_NUM_THREADS": "Threads of the CPU operators.",
    "MKL_NUM_THREADS": "Threads of the MKL library.",
    "PYTHONPATH": "Where Python looks for modules before its own folders.",
    "PYTHONUTF8": "Text files are UTF-8 unless a program says otherwise.",
    "PYTORCH_CUDA_ALLOC_CONF": "How PyTorch asks for GPU memory.",
    "PYTORCH_ALLOC_CONF": "How PyTorch asks for memory.",
    "TORCH_HOME": "Where PyTorch keeps downloaded models.",
    "HF_HOME": "Where Hugging Face keeps downloaded models and data.",
    "USE_LIBUV": "Whether torch.distributed uses libuv.",
}


@record
class Launch:
    """What a launcher runs.

    `doctor` is the doctor's interpreter, `arguments` are those of `torchdoctor run`, `folder` is the
    working folder, and `environment` holds the variables that are set now.
    """

    doctor: str
    arguments: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    version: str
    conda_prefix: str | None = None


def render_launcher(launch: Launch) -> str:
    """Render the launcher; its lines end with CR LF, as cmd requires."""
    command = " ".join(quote(part) for part in (launch.doctor, "-m", "torchdoctor", "run", *launch.arguments))
    lines = [
        "@echo off",
        f"{MARK} {launch.version}. Double-click it, or run it from a prompt.",
        "setlocal DisableDelayedExpansion",
        "rem This file is UTF-8: folders and arguments may have any letters.",
        "chcp 65001 >nul",
        f"cd /d {quote(launch.folder)}",
        "",
        *_render_variables(launch),
        command,
        'set "code=%ERRORLEVEL%"',
        "echo.",
        "echo The program has ended with exit code %code%.",
        "rem The window stays open until a key is pressed.",
        "pause",
        "exit /b %code%",
    ]
    return "".join(f"{line}\r\n" for line in lines)


def _render_variables(launch: Launch) -> list[str]:
    lines: list[str] = []
    for name, value, comment in _OWN_VARIABLES:
        lines += [f"rem {comment}", _assign(name, value), ""]
    if launch.conda_prefix:
        root = launch.conda_prefix
        folders = (
            root, rf"{root}\Library\mingw-w64\bin", rf"{root}\Library\usr\bin", rf"{root}\Library\bin",
            rf"{root}\Scripts",
        )  # fmt: skip
        lines.append("rem The conda environment's DLLs and programs, as conda activate would add them.")
        lines += [_assign("PATH", ";".join(folders)).removesuffix('"') + ';%PATH%"', ""]
    for name, comment in _COPIED_VARIABLES.items():
        if name in launch.environment:
            lines += [f"rem {comment}", _assign(name, launch.environment[name]), ""]
    # Never copied, even if it is set now: it can make results wrong without an error.
    lines += [
        "rem KMP_DUPLICATE_LIB_OK is removed: with it, a second OpenMP runtime can crash the program or",
        "rem make its results wrong without an error. torchdoctor explain omp-duplicate-runtime has the fix.",
        'set "KMP_DUPLICATE_LIB_OK="',
        "",
    ]
    return lines


def _assign(name: str, value: str) -> str:
    return f'set "{name}={_escape(value)}"'


def _escape(text: str) -> str:
    # In a batch file, cmd replaces %NAME% everywhere, also between quotes.
    return text.replace("%", "%%").replace("\r", " ").replace("\n", " ")


def quote(argument: str) -> str:
    """Return an argument quoted so that cmd, and then the C runtime, read it unchanged.

    `subprocess.list2cmdline` quotes for the C runtime. cmd interprets special characters outside of quotes,
    and a quote within the argument would end its quotes; in that case a caret escapes each special character.
    """
    import subprocess

    quoted = _escape(subprocess.list2cmdline([argument]))
    if '"' in argument:
        return "".join(f"^{character}" if character in '"&|<>^()' else character for character in quoted)
    if not quoted.startswith('"') and set(quoted) & set("&|<>^(),;=!'`"):
        return f'"{quoted}"'
    return quoted
