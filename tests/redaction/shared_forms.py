"""Texts with a place for a secret: where people, projects, passwords and numbers stand in what is pasted."""

import unicodedata

# {x} is the secret.
FORMS = {
    "behind the error": "AssertionError: Torch not compiled with CUDA enabled {x}",
    "behind a comma": "AssertionError: Torch not compiled with CUDA enabled, {x}",
    "before the error": "{x}: AssertionError: Torch not compiled with CUDA enabled",
    "between bars": "AssertionError: Torch not compiled with CUDA enabled | {x} | ok",
    "folder of a DLL": (
        "OSError: [WinError 126] The specified module could not be found. Error loading "
        '"C:\\{x}\\lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.'
    ),
    "folder of conda": (
        "OSError: [WinError 126] The specified module could not be found. Error loading "
        '"C:\\ProgramData\\Anaconda3\\envs\\{x}\\lib\\site-packages\\torch\\lib\\c10.dll" or one of '
        "its dependencies."
    ),
    "last folder": "PermissionError: [Errno 13] Permission denied: 'E:\\\\data\\\\{x}'",
    "first folder": "PermissionError: [Errno 13] Permission denied: 'E:\\\\{x}\\\\data'",
    "model": "PermissionError: [Errno 13] Permission denied: 'C:\\\\work\\\\{x}.pt'",
    "behind a blank of a path": "PermissionError: [Errno 13] Permission denied: 'E:\\\\data\\\\my {x}'",
    "checkpoint": "OSError: [Errno 28] No space left on device: 'D:\\\\runs\\\\{x}.ckpt'",
    "literal of a warning": (
        "C:\\work\\x.py:3: SyntaxWarning: invalid escape sequence '\\d'\n  p = \"D:\\{x}\\data\""
    ),
    "name in a warning": ("C:\\work\\x.py:3: SyntaxWarning: invalid escape sequence '\\d'\n  {x} = \"\\d\""),
    "list of pip": (
        "PS C:\\> pip list\n"
        "Package    Version\n"
        "---------- -------\n"
        "torch      2.0.1+cpu\n"
        "{x}     1.0\n"
        "numpy 1.26.4\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "frozen list": (
        "C:\\> pip freeze\ntorch==2.0.1+cpu\n{x}==1.0\nAssertionError: Torch not compiled with CUDA enabled"
    ),
    "conflict": "{x} 1.0 requires torch==2.0.1, but you have torch 2.1.0 which is incompatible.",
    "list of conda": (
        "# packages in environment at C:\\Users\\kw04\\anaconda3\\envs\\{x}:\n"
        "pytorch                   1.13.1          py3.9_cpu_0\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "prompt of conda": (
        "({x}) C:\\work> python train.py\nAssertionError: Torch not compiled with CUDA enabled"
    ),
    "folder of a package": (
        '  File "C:\\x\\Lib\\site-packages\\{x}\\core.py", line 11, in foo\n'
        '    return self.x("y")\n'
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "function of a frame": (
        "Traceback (most recent call last):\n"
        '  File "C:\\x\\train.py", line 11, in {x}\n'
        "    main()\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "file of a frame": (
        "Traceback (most recent call last):\n"
        '  File "C:\\x\\{x}.py", line 11, in main\n'
        "    main()\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "code of a frame": (
        "Traceback (most recent call last):\n"
        '  File "C:\\x\\a.py", line 11, in main\n'
        "    {x} = torch.load(p)\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "import": (
        '  File "C:\\x\\app.py", line 11, in foo\n'
        "    import {x}\n"
        "ModuleNotFoundError: No module named '{x}'"
    ),
    "imported name": (
        "ImportError: cannot import name '{x}' from 'torch.nn' "
        "(C:\\p\\lib\\site-packages\\torch\\nn\\__init__.py)"
    ),
    "part of torch": "AttributeError: module 'torch.{x}' has no attribute 'a'",
    "attribute": "AttributeError: module 'torch' has no attribute '{x}'",
    "class": (
        "_pickle.PicklingError: Can't pickle <class '__main__.{x}'>: it's not the same object as __main__.{x}"
    ),
    "pickled function": (
        "_pickle.PicklingError: Can't pickle <function {x} at 0x000001>: attribute lookup "
        "{x} on __main__ failed"
    ),
    "local object": "AttributeError: Can't pickle local object '{x}.<locals>.<lambda>'",
    "class of a worker": "AttributeError: Can't get attribute '{x}' on <module '__main__' (built-in)>",
    "pip install": ("PS C:\\x> pip install {x}\nERROR: No matching distribution found for {x}"),
    "local version": "ERROR: No matching distribution found for torch==2.0.1+{x}",
    "wheel": "ERROR: {x}-1.0-cp39-cp39-linux_x86_64.whl is not a supported wheel on this platform.",
    "built wheel": (
        "Building wheel for {x} (setup.py) ... error\n"
        "error: Microsoft Visual C++ 14.0 or greater is required."
    ),
    "program": "{x}.exe exited with code 3221225477",
    "DLL": "OMP: Error #15: Initializing {x}.dll, but found libiomp5md.dll already initialized.",
    "header": "fatal error C1083: Cannot open include file: '{x}.h': No such file or directory",
    "library": "LINK : fatal error LNK1104: cannot open file '{x}.lib'",
    "module with a blank": (
        "ImportError: DLL load failed while importing {x} Banks: The specified module could not be found."
    ),
    "module": ("ImportError: DLL load failed while importing {x}: The specified module could not be found."),
    "folder of Python": "No Python at 'D:\\{x}\\python.exe'",
    "script": (
        "C:\\Python\\python.exe: can't open file 'D:\\\\work\\\\{x}.py': [Errno 2] No such file or directory"
    ),
    "behind a card": (
        "GPU: NVIDIA GeForce RTX 3060 {x}\nAssertionError: Torch not compiled with CUDA enabled"
    ),
    "mapped file": (
        "RuntimeError: unable to mmap 123 bytes from file <C:\\models\\{x}.safetensors>: y (1455)"
    ),
    "part of transformers": (
        "RuntimeError: Failed to import transformers.models.{x}.modeling because of the "
        "following error (look up to see its traceback):\n"
        "No module named 'torch'"
    ),
    "link": (
        "OSError: [WinError 1314] A required privilege is not held by the client: "
        "'C:\\\\a\\\\{x}' -> 'D:\\\\b\\\\{x}'"
    ),
    "global": (
        "_pickle.UnpicklingError: Weights only load failed. Unsupported global: GLOBAL "
        "{x}.Foo was not an allowed global"
    ),
    "custom node": (
        "Cannot import C:\\ComfyUI\\custom_nodes\\{x} module for custom nodes: No module named 'torch'"
    ),
    "python -m": ("C:\\app>python -m {x}\nC:\\p\\python.exe: No module named {x}"),
    "command": (
        "C:\\app>{x}\n"
        "'{x}' is not recognized as an internal or external command,\n"
        "operable program or batch file."
    ),
    "typed script": ("C:\\app>python {x}.py --gpu 0\nAssertionError: Torch not compiled with CUDA enabled"),
    "option": (
        "C:\\app>python train.py --{x} 1\n"
        "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    ),
    "value of an option": (
        "C:\\app>python train.py --name {x}\n"
        "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    ),
    "behind a size": "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB ({x})",
    "own words": (
        "my {x} program says torch is not compiled with cuda, what now\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "name of a person": (
        "Hello, I am {x} and my torch does not find the GPU, RTX 3060, Windows 11\n"
        "torch.cuda.is_available() False"
    ),
    "machine": "on the {x} machine we have torch 2.0.1+cpu and an RTX 3060, customer is {x}",
    "key": ("KeyError: '{x}'\nRuntimeError: DataLoader worker (pid(s) 1234) exited unexpectedly"),
    "folder of Linux": "/mnt/{x}/train.py: ModuleNotFoundError: No module named 'torch'",
    "prompt": ("D:\\{x}>python train.py\nModuleNotFoundError: No module named 'torch'"),
    "address": (
        "ERROR: Could not install packages due to an OSError: "
        "HTTPSConnectionPool(host='{x}', port=443): Max retries exceeded with url: "
        "/{x}/torch (Caused by ...)"
    ),
    "installed package": (
        "Installing collected packages: {x}\n"
        "  Attempting uninstall: torch\n"
        "ERROR: pip's dependency resolver does not currently take into account all the "
        "packages that are installed. This behaviour is the source of the following "
        "dependency conflicts.\n"
        "{x} 0.1 requires torch<2, but you have torch 2.1.0 which is incompatible."
    ),
    "collect_env": (
        "PyTorch version: 2.0.1+cpu\n"
        "Is CUDA available: False\n"
        "OS: Microsoft Windows 11 {x}\n"
        "Python version: 3.10.6\n"
        "[pip3] {x}==1.0\n"
        "[pip3] torch==2.0.1+cpu\n"
        "[conda] {x} 1.0 pypi_0 pypi"
    ),
    "another language": "OSError: [WinError 126] Das angegebene Modul wurde nicht gefunden: {x}",
    "variable": ("set CUDA_VISIBLE_DEVICES={x}\nRuntimeError: No CUDA GPUs are available"),
    "method": (
        '  File "C:\\x\\a.py", line 3, in {x}.forward\n'
        "    x = self.conv(x)\n"
        "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"
    ),
    "data": '{{"user": "{x}", "error": "AssertionError: Torch not compiled with CUDA enabled"}}',
    "logger": ("2026-01-02 03:04:05 [{x}] ERROR: AssertionError: Torch not compiled with CUDA enabled"),
    "between two paths": (
        "ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied: "
        "c:\\users\\kw04\\venv\\lib\\site-packages\\torch\\_c.pyd I am {x} of {x} D:\\data\\x.pt"
    ),
    "between two paths in quotes": (
        "ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied: "
        "'c:\\users\\kw04\\venv\\lib\\site-packages\\torch\\~orch I am {x} of {x} D:\\data\\x.pt'"
    ),
    "between two paths of HTML": (
        "ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied: "
        "&#x27;c:\\\\users\\\\kw04\\\\venv\\\\lib\\\\site-packages\\\\torch\\\\_c.pyd&#x27;<br>\n"
        "I am {x} of {x}<br>\n(base) PS C:\\work&gt; x"
    ),
    "folder behind a blank": (
        "PermissionError: [WinError 32] The process cannot access the file because it is being used by "
        "another process: 'D:\\\\ {x} & Sons\\\\x9.pt'"
    ),
    "folder behind a tab": (
        "PermissionError: [WinError 32] The process cannot access the file because it is being used by "
        "another process: 'D:\\\\\t{x} & Sons\\\\x9.pt'"
    ),
    "folder behind a blank of a server": (
        "PermissionError: [WinError 32] The process cannot access the file because it is being used by "
        "another process: '\\\\\\\\nas\\\\ {x}\\\\b\\\\x9.pt'"
    ),
    "folder behind a blank of Linux": (
        '  File "/mnt/ {x} Banks/b/x9.py", line 8, in __getitem__\n'
        "RuntimeError: DataLoader worker (pid(s) 1234) exited unexpectedly"
    ),
    "folder on the next line": (
        'OSError: [WinError 126] The specified module could not be found. Error loading "D:\\\n'
        ' {x} & Sons\\venv\\lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.'
    ),
    "folder on the next line of a quotation": (
        '> OSError: [WinError 126] The specified module could not be found. Error loading "D:\\\n'
        '> {x} & Sons\\venv\\lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.'
    ),
    "folder behind a dot": (
        "PermissionError: [WinError 32] The process cannot access the file because it is being used by "
        "another process: 'D:\\\\.{x} Banks\\\\x9.pt'"
    ),
    "before a letter that is not ASCII": ("AssertionError: Torch not compiled with CUDA enabled {x}ß!2023"),
    "before a letter and an ampersand": "AssertionError: Torch not compiled with CUDA enabled {x}ö&Co",
    "account of a domain": "AssertionError: Torch not compiled with CUDA enabled /user:{x}\\schmidt",
    "folder in a wrong code page": (
        "OSError: [WinError 193] %1 is not a valid Win32 application: 'C:\\\\K\"{x}-Klinik\\\\x.dll'"
    ),
    "folder with an apostrophe": (
        "PermissionError: [WinError 32] The process cannot access the file because it is being used by "
        'another process: "D:\\\\Robert\'s {x}\\\\x.pt"'
    ),
    "operator": "RuntimeError: operator {x}::nms does not exist",
    "two places": (
        "jupyter kernel {x} died\n"
        "OSError: [WinError 1455] The paging file is too small for this operation to "
        'complete. Error loading "C:\\p\\{x}\\cublas64_11.dll" or one of its dependencies.'
    ),
    "first folder of a relative path": "LINK : fatal error LNK1104: cannot open file {x}\\titan.lib",
    "first folder before a slash": (
        "OSError: [WinError 1455] The paging file is too small for this operation to complete: "
        "{x}/titan.safetensors"
    ),
    "folder behind a drive": (
        "RuntimeError: open file failed because of errno 2 on fopen: No such file or directory, "
        "file path: D:{x}\\model.pt"
    ),
    "files with a star": "LINK : fatal error LNK1104: cannot open file data\\{x}*.lib",
    "brackets in a file": "OSError: [WinError 193] %1 is not a valid Win32 application: 'C:\\work\\model({x}).dll'",
    "square brackets in a file": "PermissionError: [Errno 13] Permission denied: 'C:\\work\\model[{x}].pt'",
    "metric of a file": "FileNotFoundError: [Errno 2] No such file or directory: 'C:\\work\\epoch=3-client={x}.ckpt'",
}
# People who are called like words, passwords that are words, names of projects and customers, keys and numbers.
SECRETS = (
    "Rose",
    "Grace",
    "Faith",
    "Victor",
    "Hunter",
    "Summer",
    "Jasmine",
    "Violet",
    "Daisy",
    "Amber",
    "Crystal",
    "Robin",
    "Wade",
    "Heath",
    "Parker",
    "Baker",
    "Knight",
    "Rivers",
    "Melody",
    "Basil",
    "Ginger",
    "Holly",
    "Trinity",
    "Tanner",
    "welcome",
    "dragon",
    "sunshine",
    "monkey",
    "letmein",
    "princess",
    "freedom",
    "superman",
    "cheese",
    "cookie",
    "soccer",
    "silver",
    "banana",
    "midnight",
    "diamond",
    "butterfly",
    "purple monkey",
    "silver sunshine",
    "falcon",
    "Orion",
    "Project Falcon",
    "phoenix",
    "APOLLO",
    "mercury",
    "Neptune",
    "eclipse",
    "aurora",
    "Everest",
    "galaxy",
    "pioneer",
    "voyager",
    "kraken",
    "condor",
    "osprey",
    "Acme",
    "globex",
    "contoso",
    "bluebird_falcon",
    "4711",
    "081547",
    "2345678",
    "491712345678",
    "4111111111111111",
    "xk7p2m",
    "Q9X-TR4K",
    "dragon77",
    "MelodyWade",
)

# Where a path stands in what is pasted; {path} is the path. The first ones mark where it ends.
MARKED_FRAMES = {
    "frame": '  File "{path}", line 3, in <module>\nAssertionError: Torch not compiled with CUDA enabled',
    "DLL": (
        "OSError: [WinError 126] The specified module could not be found. Error loading "
        '"{path}" or one of its dependencies.'
    ),
    "denied": "PermissionError: [Errno 13] Permission denied: '{path}'",
    "mapped": "RuntimeError: unable to mmap 123 bytes from file <{path}>: y (1455)",
    "page": "OSError: [Errno 28] No space left on device: `{path}`",
}
MARKED_FRAMES.update(
    {
        "script": "can't open file '{path}': [Errno 2] No such file or directory",
        "circular import": "ImportError: cannot import name 'a' from 'torch' ({path})",
        "link": "OSError: [WinError 1314] A required privilege is not held by the client: '{path}' -> '{path}'",
        "header": "fatal error C1083: Cannot open include file: '{path}': No such file or directory",
        "library": "LINK : fatal error LNK1104: cannot open file '{path}'",
        "no program": "OSError: [WinError 193] %1 is not a valid Win32 application: '{path}'",
        "pip": "ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied: '{path}'",
        "module": (
            "FileNotFoundError: Could not find module '{path}' (or one of its dependencies). Try using the full "
            "path with constructor syntax."
        ),
        "frame and code": (
            "Traceback (most recent call last):\n  File \"{path}\", line 4, in main\n    torch.load(r'{path}')\n"
            "RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory"
        ),
        "two quotes": "«{path}» OSError: [Errno 28] No space left on device: “{path}”",
    }
)
UNMARKED_FRAMES = {
    "environment": (
        "# packages in environment at {path}:\npytorch 1.13.1 py3.9_cpu_0\n"
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "custom node": "Cannot import {path} module for custom nodes: No module named 'torch'",
    "command": "python {path} --gpu 0\nAssertionError: Torch not compiled with CUDA enabled",
    "variable": (
        "CUDA_HOME={path}\nOSError: CUDA_HOME environment variable is not set. Please set it to your CUDA "
        "install root."
    ),
    "list": "torch {path} 2.0.1+cpu\nAssertionError: Torch not compiled with CUDA enabled",
    "OpenMP": "OMP: Error #15: Initializing libiomp5md.dll, but found {path} already initialized.",
    "behind a colon": "fatal error LNK1104: cannot open file: {path}",
    "Python": "No Python at {path}",
    "prompt": "{path}>python train.py\nModuleNotFoundError: No module named 'torch'",
    "warning": "{path}:3: UserWarning: CUDA initialization: no CUDA-capable device is detected",
}
# {x} is a part of a path with two secrets: the first, a middle and the last part, before and behind public ones.
PATHS = (
    "D:\\{x}\\venv\\lib\\site-packages\\torch\\lib\\c10.dll",
    "C:\\Users\\kw04\\{x}\\data\\train.py",
    "C:\\Program Files (x86)\\{x}\\train.py",
    "E:\\data\\{x}",
    "E:\\data\\{x}.pt",
    "E:\\\\data\\\\{x}\\\\train.py",
    "\\\\nas\\share\\{x}\\train.py",
    "/home/kw04/{x}/train.py",
    "/mnt/{x}/lib/python3.10/site-packages/torch/lib/libc10.so",
    "/data/{x}",
    ".\\{x}\\train.py",
    "data\\{x}\\train.py",
    "{x}/data/train.py",
)
FORBIDDEN = {"\\": '<>:"/\\|?*', "/": "/"}
FIRST_SECRET, LAST_SECRET = "Rosalind", "Falcon"


def list_paths(sign: str, *, frame: str, paths: tuple[str, ...] = PATHS) -> list[str]:
    """Return texts with a frame and each path with each part that a system can have."""
    return [
        frame.format(path=path.format(x=part))
        for path in paths
        if sign not in FORBIDDEN["\\" if "\\" in path else "/"]
        for part in list_parts(sign)
    ]


def list_signs() -> list[str]:
    """Return the signs, blanks and controls of all writings that a name on Windows or Linux can have."""
    kinds = ("P", "S", "Z", "Cf", "Cc")
    signs = (chr(number) for number in range(1, 0x20000))
    return [sign for sign in signs if unicodedata.category(sign).startswith(kinds) and sign not in "\n\r/\\"]


def list_parts(sign: str) -> tuple[str, ...]:
    """Return the two secrets with a sign between them, alone, before a blank and around the second one."""
    first, last = FIRST_SECRET, LAST_SECRET
    return (
        f"{first}{sign}{last}",
        f"{first}{sign} {last}",
        f"{first} {sign}{last}{sign}",
        f"a{sign}{first} {last}",
    )


# Where the name of a folder or of an account stands alone; {x} is the name.
PLACES_OF_A_NAME = {
    "folder": "PermissionError: [Errno 13] Permission denied: 'D:\\\\{x}\\\\train.py'",
    "second folder": "PermissionError: [Errno 13] Permission denied: 'D:\\\\data\\\\{x}\\\\train.py'",
    "folder of Linux": "OSError: [Errno 28] No space left on device: '/data/{x}/model.pt'",
    "folder of a frame": (
        'Traceback (most recent call last):\n  File "D:\\{x}\\train.py", line 3, in main\n'
        "AssertionError: Torch not compiled with CUDA enabled"
    ),
    "owner": "PS C:\\> pip install https://github.com/{x}/mediapipe\nERROR: Could not find a version",
    "owner of a branch": (
        "PS C:\\> pip install git+https://github.com/{x}/transformers.git@main\nERROR: Could not find a version"
    ),
    "owner of a model": "OSError: cannot reach https://huggingface.co/{x}/bert/resolve/main/config.json",
    "owner of a data set": "OSError: cannot reach https://huggingface.co/datasets/{x}/bert/resolve/main/a.json",
    "environment": (
        'OSError: [WinError 126] The specified module could not be found. Error loading "C:\\Anaconda3\\envs\\{x}'
        '\\lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.'
    ),
    "prompt of conda": "({x}) D:\\>python -c 'import torch'\nModuleNotFoundError: No module named 'torch'",
}
# Accounts, keys, birthdays, rooms and computers that have the shape of a value, a version or a code.
NAMES_LIKE_VALUES = (
    "0xcafe", "0x678740A3C2D0527C", "0xBADC0DE", "sm88", "sm_77", "cp74", "cp392", "cu777", "py499", "fp1984", "win53",
    "12.04.1952", "1952.04.12", "15.09", "v47.11", "4.7.1.1", "24GB", "47k", "-269", "+269", "node273", "run8943",
    "user47", "data46", "disk47", "home462", "lib477", "v471", "cuda-47.1", "python47", "python3.99", "3.10.47",
    "3.10.06", "torch-4.7.1", "torch471", "rx5700", "E4711", "471bit", "47th", "4711-py3.7-info",
    "2031", "2007", "vs2031", "h7351928_0", "1e47", "47%", "0000471147114711", "Kranich-1.0.dist-info",
    "numpy-4711471.0.dist-info", "Blender 47.11", "pip-kranich-meyer77a", "1.9.5.2",
)  # fmt: skip
# Folders with numbers that programs make.
NUMBERED_FOLDERS = (
    "v12.4", "v11.8", "cuda-11.8", "cuda11.8", "cu118", "cu121", "CUDA 12.4", "3.10.6", "3.10", "3.13.0", "Python311", "Python27",
    "python3.10", "python-3.11", "py310", "cp310", "cp313t", "pythoncore-3.11-64", "Python313-arm64", "Python36-32",
    "lib.win-amd64-cpython-310", "lib.win-amd64-3.9", "temp.win-amd64-cpython-311", "torch-2.1.0", "torch-2.1.0+cu118",
    "torch2.1", "torch113", "2.1.0", "v2.1.0", "sm_86", "compute_90a", "torch-2.1.0+cu121.dist-info",
    "numpy-1.26.4.dist-info", "setuptools-65.5.0-py3.10.egg-info", "14.29.30133", "10.0.22621.0", "Blender 4.2", "4.2",
    "miniconda3", "anaconda3", "vs2022", "2022", "x64", "lib64",
)  # fmt: skip
