"""The values that a pattern alone reads from a text."""

from torchdoctor.core.prompts import PROMPT
from torchdoctor.explain.computer.choice import LIMITED
from torchdoctor.knowledge.told import FACTS

_VERSION = r"\d\.\d{1,2}(?:\.\d{1,2})?(?:[.+]?(?:dev|a|rc)\d{1,8})?(?:\+\w{1,20})?"
_WINDOW_GONE = rf"(?P<window_gone>{FACTS['window-gone'].pattern})"
# A computer that people say has no internet; programs speak of a mode, and of a connection that failed.
_OWN_COMPUTER = r"(?:machine|computer|pc|laptop|workstation|vm)s?"
_COMPUTER = rf"(?:{_OWN_COMPUTER}|servers?|environment)"
_ONE = r"(?:an?|the|my|our|this|that|another) (?:[\w-]{1,12} )?"
_OFFLINE = (
    rf"(?P<offline>\b{_ONE}offline (?:[\w-]{{1,12}} )?{_COMPUTER}\b"
    rf"|\b{_OWN_COMPUTER}\b[^\n.,;]{{0,20}}\b(?:is|was|being) offline\b|\bair-?gapped\b"
    rf"|\b{_ONE}{_COMPUTER}\b[^\n.,;]{{0,20}}"
    r" (?:without(?: an?| any)?|has no|have no|with no|not connected to(?: the)?|no) internet\b"
    r"|\b(?:Server|Rechner|PC|Computer) (?:ohne|hat kein(?:en)?) Internet"
    r"|离线(?:状态)?下?的?(?:服务器|环境|机器|电脑|主机)|(?:机器|电脑)(?:是|处于)?离线"
    r"|内网(?:的)?(?:环境|电脑|机器|服务器|机)"
    r"|(?:компьютер|сервер)\w{0,3} без (?:доступа (?:к|в) )?интернет)"
)
# What a text must hold before the pattern is tried, and the pattern; the first match of a group wins.
READINGS: tuple[tuple[str, str], ...] = (
    ('error loading "', r'Error loading "(?P<path>[^"\n{}]{1,500})"'),
    (
        ".dll",
        r"(?:could not|cannot|can't|failed to) (?:load|locate|find|open)[^\n.]{0,60}?"
        r"\b(?P<missing_dll>[\w.-]{1,100}\.dll)",
    ),
    ("mingw", r"\b(?P<git_bash>MINGW(?:32|64)) [~/]"),
    ("git bash", r"(?i)\b(?:in|from|with|using|is|my) (?:a |the )?(?P<git_bash>git[ -]?bash)\b"),
    ("could not find module", r"Could not find module '(?P<path>[^'\n]{1,400})'"),
    ("no module named", r"No module named '?(?P<module>[\w.]{1,100})"),
    ("load failed while importing", r"load failed while importing (?P<module>\w{1,100})"),
    ("partially initialized", r"partially initialized module '(?P<module>[\w.]{1,100})'"),
    ("no attribute", r"has no attribute '(?P<attribute>\w{1,100})'"),
    ("used to compile", r"used to compile\s+PyTorch \((?P<compiled_cuda>\d{1,2}\.\d)\)"),
    ("arch list", r"\b(?P<sm>sm_\d{2,3}) is not in (?:the|torch's) (?:current )?arch list"),
    ("cuda capability sm_", r"CUDA capability (?P<sm>sm_\d{2,3})\b"),
    ("cuda capability ", r"which is of cuda capability (?P<capability>\d{1,2}\.\d)\b"),
    (
        "cuda capabilities",
        r"supports CUDA capabilities (?P<supported_sm>(?:(?:sm|compute)_\d{2,3}[a-z]? ?){1,20})",
    ),
    ("pytorch version:", rf"PyTorch version: (?P<torch_version>{_VERSION})"),
    ("the pytorch version", rf"The PyTorch version \((?P<torch_version>{_VERSION})\) is not compatible"),
    ("trained with torch", rf"trained with torch [\w.+]{{1,20}}, yours is (?P<torch_version>{_VERSION})"),
    ("__version__", rf"torch\.__version__\W{{1,6}}(?P<torch_version>{_VERSION})"),
    ("(you have", rf"\(you have (?P<torch_version>{_VERSION})\)"),
    ("(you have", r"\bPython {1,4}3[\d.]{1,8} \(you have (?P<python_version>3\.\d{1,2}\.\d{1,2})\)"),
    ("torch", rf"(?<![\w-])(?:py)?torch(?: version)?\s?(?:==|:|=|\s)\s?'?v?(?P<torch_version>{_VERSION})\b"),
    ("版本", rf"\btorch ?的?版本 ?[是为:：]? ?v?(?P<torch_version>{_VERSION})(?![\w.]\w)"),
    ("version of torch", rf"\bversion of torch (?:installed )?is v?(?P<torch_version>{_VERSION})(?![\w.]\w)"),
    # The file of a wheel, whose name in an address has %2B for the plus sign.
    (
        "torch-",
        r"(?<![\w-])torch-(?P<wheel_torch>\d\.\d{1,2}\.\d{1,2}(?:(?:\+|%2B)(?:cpu|xpu|cu\d{2,3}))?)-(?=cp3)",
    ),
    (".whl#sha256", r"from (?P<download_link>https?://[\w.%/+-]{1,300}\.whl)#sha256"),
    ("expected sha256", r"from (?P<download_link>https?://[\w.%/+-]{1,300}\.whl):"),
    ("downloading http", r"Downloading (?P<download_link>https?://[\w.%/+-]{1,300}\.whl)"),
    (
        "torch-",
        rf"(?<!uninstalled )(?<!uninstalling )\btorch-(?P<torch_version>{_VERSION})"
        r"(?=-cp|\.dist-info|$|[:\s])",
    ),
    # The Python of a portable package, which a person asked for its version beside naming another one.
    (
        "python_embed",
        r"python_embed\w{0,6}[\\/]python(?:\.exe)?(?:[\"'` ]{1,3}(?:-VV?|--version))?[^\n]{0,30}\bPython"
        r" (?P<python_version>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w+])",
    ),
    (
        "python version",
        r"Python version:? (?:is )?(?P<python_version>[23]\.\d{1,2}(?:\.\d{1,2})?)"
        r"(?![\w.]| Requires| (?:is|or) (?:recommended|required|needed|higher|newer|later))",
    ),
    ("python", r"\bPython[: ]{1,2}v?(?P<python_version>[23]\.\d{1,2}(?:\.\d{1,2})?)(?![\w+])"),
    ("cpython", r"\byou're (?:using|on) CPython (?P<python_version>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w+])"),
    (
        "python",
        r"\bPython ?的?版本(?:是|为)?[:： ]{0,2}(?P<python_version>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w+])",
    ),
    ("python3.", r"(?<![\w\\/.-])python(?P<python_version>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w+])"),
    ("python3", r"[\\/]python(?P<python_tag>3\d{1,2})(?:-\w{1,6})?[\\/]"),
    ("-cp3", r"-cp(?P<python_tag>3\d{1,2})-(?!abi3)"),
    ("python3", r"\bpython(?P<python_tag>3\d{1,2})\b(?![\\/-]|\.?\w)"),
    ("python 3", r"[\\/]python(?P<python_version>3\.\d{1,2})[\\/]"),
    # What an interpreter prints of itself.
    ("python 3", r"\bPython (?P<printed_python>3\.\d{1,2}\.\d{1,2}) \((?:main|tags/|heads/)"),
    # The Python that pyenv starts.
    ("pyenv", r"pyenv-win[\\/]versions[\\/](?P<python_version>3\.\d{1,2}\.\d{1,2})(?!-|\.?\w)"),
    ("pyenv", r"\bpyenv (?:global|local|shell) (?P<python_version>3\.\d{1,2}\.\d{1,2})(?!-|\.?\w)"),
    ("download.pytorch.org/whl/", r"download\.pytorch\.org/whl/(?P<searched_index>cu\d{2,3})\b"),
    ("whl/", r"indexes: https?://\S{1,60}/whl/(?P<searched_index>cu\d{2,3})\b"),
    # A list with CPU builds as well is that of `-f`, and not of one index.
    (
        "from versions: ",
        r"requirement torch\b(?![^\n]{0,600}\+cpu[,)])[^\n]{0,600}\+(?P<searched_index>cu\d{2,3})\)",
    ),
    (
        "from versions: ",
        r"requirement torch\b[^\n(]{0,40}(?:\(from (?!versions)[^\n]{1,160}?\) )?"
        r"\(from versions: [^\n)]{0,600}?(?P<offered_release>\d[\d.]{2,8})"
        r"(?:\+\w{1,8})?\)",
    ),
    (
        "from versions: ",
        r"requirement torch\b[^\n(]{0,40}(?:\(from (?!versions)[^\n]{1,160}?\) )?"
        r"\(from versions: (?P<first_release>\d[\d.]{2,8})[,)]",
    ),
    # A release that the list has in other builds only.
    (
        "from versions: ",
        r"requirement torch==(?P<listed_release>\d\.\d{1,2}\.\d{1,2})\+(?P<absent_build>cu\d{2,3})"
        r" \(from versions: (?![^\n)]{0,4000}\b(?P=listed_release)\+(?P=absent_build)\b)[^\n)]{0,4000}?"
        r"(?P<listed_builds>\b(?P=listed_release)(?:\+\w{2,6})?(?:, (?P=listed_release)\+\w{2,6}){1,8})",
    ),
    ("requirement torch==", r"requirement torch(?P<needed_version>==[\w.+]{1,30})"),
    ("building '", r"building '(?P<built_package>[A-Za-z]\w{0,60})\.[\w.]{1,100}' extension"),
    (
        "wheel",
        r"(?:failed building|building) wheel for (?P<built_package>[A-Za-z][\w-]{0,60})(?![\w-])",
    ),
    (
        "trying to install package",
        r"trying to install package\.\s{1,8}(?:╰─> ?)?(?P<built_package>[A-Za-z][\w-]{0,60})(?![\w-])",
    ),
    (
        "setup.py",
        r"\bpython3?(?:\.exe)? (?P<setup_command>setup\.py (?:install|develop|build_ext|build|bdist_wheel)"
        r"(?: --?[\w-]{1,30}){0,4})(?!\.?\w)",
    ),
    # The list of requirements that pip reads.
    ("-r ", r"(?<![\w-])-r (?P<requirements_file>[\w./\\-]{1,80}\.txt)\b"),
    # What conda is asked for.
    ("pytorch-cuda=", r"pytorch-cuda=(?P<conda_cuda>\d{1,2}\.\d)"),
    ("pytorch=", r"(?<![\w-])pytorch={1,2}(?P<conda_torch>\d\.\d{1,2}(?:\.\d{1,2})?)(?!\.?\w)"),
    # Only conda says so.
    ("not available from current channels", r"(?P<conda_words>not available from current channels)"),
    ("resolvepackagenotfound", r"(?P<conda_words>ResolvePackageNotFound)\b"),
    ("used to build pytorch", r"CUDA used to build PyTorch: (?P<cuda_version>\d[\d.]{1,8})"),
    ("to compile pytorch", r"compile PyTorch \((?P<cuda_version>\d{1,2}\.\d)\)"),
    ("+cu", r"\+cu(?P<cuda_tag>[789]\d|1\d\d)\b(?!\.\d| with CUDA \d{3,5} \(you have)"),
    ("found version", r"too old \(found version (?P<driver_number>\d{4,6})\)"),
    ("cuda version:", r"(?-i:CUDA Version): (?P<driver_cuda>\d{1,2}\.\d)"),
    ("allocate", r"tried to allocate (?P<bytes>[\d.]{1,24}(?: (?:bytes|[KMGT]i?B))?)"),
    (
        "total capac",
        r"total capaci?ty(?: of (?P<card_gib>[\d.]{1,6}) GiB [^\n]{0,2000}?"
        r"(?P<card_used>[\d.]{1,6} (?:[KMG]iB|bytes)) is allocated by PyTorch)",
    ),
    ("total capacity of", r"total capacity of (?P<card_gib>[\d.]{1,6}) GiB"),
    (
        "total capacity;",
        r"(?P<card_gib>[\d.]{1,6}) GiB total capacity; (?P<card_used>[\d.]{1,6} [MG]iB) already allocated",
    ),
    ("is free", r"GiB of which (?P<card_free>[\d.]{1,6} (?:[KMG]iB|bytes)) is free"),
    ("free;", r"already allocated; (?P<card_free>[\d.]{1,6} (?:[KMG]iB|bytes)) free;"),
    (
        "reserved by pytorch",
        r"and (?P<card_spare>[\d.]{1,6} (?:[KMG]iB|bytes)) is reserved by PyTorch but unallocated",
    ),
    ("reserved in total", r"; (?P<card_reserved>[\d.]{1,6} (?:[KMG]iB|bytes)) reserved in total by PyTorch"),
    # The limit that a program has set for itself.
    ("allowed;", r"(?P<memory_allowed>[\d.]{1,6} (?:[KMG]iB|bytes)) allowed;"),
    ("ram", r"(?<![\d.])(?P<main_memory>\d{1,3}) ?GB (?:of )?(?:system |DDR\d )?RAM\b"),
    # What a Python that is no one of python.org prints of its compiler or system.
    ("gcc", r"\[(?P<foreign_python>GCC) [^\]\n]{1,60}\](?: \(\w{1,20}\))? on (?:win32|cygwin)\b"),
    ("cygwin", r"\bon (?P<cygwin>cygwin)\b"),
    # Another index than PyPI, which pip is set to.
    (
        "index-url",
        r"(?:global|user|site|install)\.(?P<own_index>index-url)\s{0,3}[= ]\s{0,3}['\"]?https?://"
        r"(?!(?:test\.)?pypi\.(?:org|python\.org|tuna|mirrors|doubanio|douban)|download\.pytorch\.org"
        r"|[\w.-]{0,20}mirror|repo\.huaweicloud)",
    ),
    # A program that was installed whole, and not into a Python of the person.
    (
        "install method",
        r"Install(?:ation)? method\W{1,8}(?P<finished>desktop app|installer|setup|portable|exe\b|msi\b)",
    ),
    ("desktop app", r"\b(?:the|its|using|installed) (?:\w{2,20} )?(?P<finished>desktop app(?:lication)?)\b"),
    ("installer", r"\b(?P<finished>(?:official|windows|exe|msi) installer)\b"),
    (
        "exe",
        r"(?<![\w\\/])(?:released?|prebuilt|downloaded (?:the )?) ?(?:windows )?"
        r"(?P<finished>\.?exe)\b(?![\w-])"
        r"(?=[^\n]{0,8}(?:install|release|version|build|app\b|is\b|from|does|doesn|only|uses|[.,;]|$))",
    ),
    ("exe", r"(?<![\w\\/])(?P<finished>\.exe) (?:windows )?(?:install|release|version)"),
    (".msi", r"(?<![\w.-])(?!python|vc_|msvc|cuda|node)[\w.-]{0,40}(?P<finished>\.msi)\b"),
    ("mmvcserversio", r"\b(?P<finished>MMVCServerSIO_win)"),
    # A person's own Python works, and the program does not run in it.
    (
        "environment",
        r"\b(?:have (?:an? |my )?(?:own )?|my (?:own )?)"
        r"(?:(?:python|(?:py)?torch|cuda|gpu) ){1,4}(?P<finished>environment)\b"
        r"[^\n.]{0,40}\b(?:running|works?|working)\b",
    ),
    ("backend", r"backend[='\" ]{1,3}(?P<backend>nccl|gloo|mpi|ucc)\b"),
    ("init_process_group", r"init_process_group\( ?['\"](?P<backend>\w{3,5})"),
    ("pid", r"\bpid(?:\(s\))?[:= ]{1,2}(?P<pid>\d{1,7})(?!\d)"),
    ("error", r"\[(?:WinError|Errno) \d{1,5}\][^'\n]{0,300}: '(?P<path>[^'\n]{1,600})'"),
    ("winerror", r"\[WinError (?P<winerror>\d{1,5})\]"),
    ("0xc0000", r"\b(?P<exit_code>0xC0000[0-9A-F]{3})\b"),
    # Cards that AMD's packages for Windows have code for: https://github.com/ROCm/TheRock/blob/main/RELEASES.md.
    ("gfx1", r"\bgfx(?P<amd_family>103[0-6]|110[0-3]|115[0-3]|120[01])\b"),
    # The tool that makes the environment, and changes its packages.
    ("uv", r"\buses? `?(?P<installer>uv)`? instead of `?pip\b"),
    ("uv ", r"(?<![\w.-])(?P<installer>uv) (?:sync|add|remove|pip|python|run|lock|venv|tool)\b"),
    # Only uv says so.
    ("error: failed to remove", r"error: failed to remove (?P<uv_words>file|directory) `"),
    (
        " packages in ",
        r"\b(?P<uv_words>Resolved|Prepared|Uninstalled|Installed|Audited) \d{1,4} packages? in [\d.]+m?s\b",
    ),
    ("poetry ", r"(?<![\w.-])(?P<installer>poetry) (?:install|add|run|lock|update|env)\b"),
    ("pixi ", r"(?<![\w.-])(?P<installer>pixi) (?:run|add|install|shell|update|lock|list|task)\b"),
    (".pixi", r"[\\/]\.(?P<installer>pixi)[\\/]envs[\\/]"),
    ("pdm ", r"(?<![\w.-])(?P<installer>pdm) (?:run|add|install|sync|update|lock|venv|list)\b"),
    # Without conda itself: its command, or the file that opens a console for it.
    ("micromamba-cmd.bat", r"(?P<console_file>micromamba-cmd\.bat)"),
    ("cmd_windows.bat", r"(?P<console_file>cmd_windows\.bat)"),
    ("micromamba-cmd.bat", r"(?P<micromamba>micromamba)-cmd\.bat"),
    ("micromamba", r"(?<![\w.-])(?P<micromamba>micromamba)(?: (?:install|create|env|activate|run)|\.exe)\b"),
    ("conda ", r"(?<![\w.-])(?P<installer>conda) (?:install|create|update|env|activate)\b"),
    # The frames of a program that was frozen have no folder in front, and it is an .exe of its own.
    (
        "torch\\",
        r"(?m)\A(?=[\s\S]{0,4000}?(?<![\w\\/.-])(?!python|pip|conda|cl\.|link|nvcc|cmd|ninja)[\w-]{2,30}\.exe\b)"
        r"[\s\S]{0,8000}?^(?:[ ]*File \")?"
        r"(?P<finished>torch\\(?:\w{1,40}\\){0,4}\w{1,40})\.py(?:\", line |:)\d",
    ),
    # The console has the Python that is meant.
    (":\\", rf"{PROMPT} ?(?P<typed_at_prompt>python|pip3?)(?:\.exe)? "),
    # The folder of a web UI, whose start script makes the environment.
    ("venv", r"\bvenv \"(?P<webui>[a-z]:[^\"\n<>|*?]{1,200})[\\/]venv[\\/]scripts[\\/]python\.exe"),
    ("creating venv in", r"creating venv in (?:directory )?(?P<webui>[a-z]:[^\"\n<>|*?]{1,200})[\\/]venv\b"),
    (
        "launch.py",
        r"(?P<webui>[a-z]:[^\"\n<>|*?]{1,160}(?:webui|diffusion|forge)[^\"\n<>|*?]{0,60})[\\/]launch\.py",
    ),
    # The file that installs a program, and makes its environment.
    (
        "install",
        r"(?<![\w.-])(?P<own_installer>(?:\d-)?(?:easy[-_])?install(?:er)?(?:[-_]\w{1,20}){0,3}"
        r"\.(?:bat|cmd|py))\b",
    ),
    # The custom node of ComfyUI whose code stands in the traceback.
    (
        "custom_nodes",
        r"File \"[^\"\n]{0,200}custom_nodes[\\/](?P<custom_node>[\w .-]{2,60})[\\/][^\"\n]{1,200}\.py\"",
    ),
    # The folder of a custom node, wherever its path stands.
    (
        "custom_nodes",
        r"(?<![\w\\/:])(?P<node_folder>[a-z]:(?:[\\/][\w .()+-]{1,80}){0,10}[\\/]custom_nodes[\\/]{1,2}"
        r"(?!__)[\w.-]{2,60})(?=[\\/][^\s\"'])",
    ),
    # The environment that a console shows in front of its folder.
    (">", r"(?:^|[\s`])\((?P<environment>[\w.-]{1,40})\) ?(?:PS )?[a-z]:\\[^\n>]{0,200}>"),
    # Programs and libraries that load a C++ runtime of their own before torch is imported.
    ("", r"\b(?P<host>PyQt[56]|PySide[26]|QGIS|Krita|Streamlit|spaCy|sphinx)\b"),
    ("rtx", r"\b(?:rtx|geforce)[ _-]{0,2}(?:rtx )?(?P<gpu_number>\d{4})(?!\d)"),
    ("gtx", r"\bgtx[ _-]{0,2}(?P<gpu_number>\d{3,4}(?:m\b)?)(?!\d)"),
    ("nvidia", r"\bnvidia[ _-]{1,2}(?P<gpu_number>[2345]0[5-9]0)(?!\d)"),
    (
        "import torch",
        r"\bimport (?:tensorflow|numpy|cv2|matplotlib|sklearn|scipy)\b[\s\S]{0,600}?\s"
        r"(?P<torch_last>import torch|from torch)\b",
    ),
    # A command of a package, with an option or a file; what follows an option is its value.
    (
        " -",
        r"(?:(?<![^\n])[ \t]{0,8}|[>$#`'\"(:：.,;!?][ ]?"
        r"|\b(?:run|running|runs|ran|use|using|with|command|start|type|via|uvx|but|and|then|when|if)[ ])"
        r"(?P<console_command>[a-z]{2,20}\d?(?:-[a-z]{2,20}\d?){1,3}) --?[a-z]",
    ),
    # The toolkit that extensions are compiled with.
    ("cuda", r"[\\/]CUDA[\\/]{1,2}v(?P<toolkit>\d{2}\.\d)[\\/]"),
    ("cuda_home", r"CUDA_HOME[ ='\"]{1,3}[^'\"\n]{1,120}[\\/]CUDA[\\/]v(?P<toolkit>\d{2}\.\d)\b"),
    # The line of a traceback that uses a signal of Linux.
    (
        "signal.sig",
        r"File \"(?P<signal_file>[^\"\n]{1,300}\.py)\", line (?P<signal_line>\d{1,6}), in [^\n ]{1,80}"
        r" signal\.signal\(signal\.SIG\w{2,8}, (?P<signal_handler>[\w.]{1,60})\)",
    ),
    # What runs code in a Python of its own choice.
    ("", r"(?P<editor>ipython-input|\bjupyter\b|\bnotebook\b|interactive window|\bVS ?Code\b|\bPyCharm\b)"),
    # The name of a notebook alone can be one in a list of examples.
    (
        "",
        r"(?P<kernel>ipython-input|\bjupyter\b|\bipykernel\b|\bCell In ?\[\d"
        # The frames of IPython: the path without quotation marks, and its line behind a colon.
        r"|(?<![^\n])File (?:~|[A-Za-z]:)[\\/][^\n\"]{1,300}:\d{1,5},? in "
        r"|\b(?:notebook|open|opened|run|runs|running|ran|execut\w{1,4}|运行|執行)\b[^\n.]{0,30}\.ipynb\b"
        r"|\b(?:run|runs|running|ran|execut\w{1,4})\b[^\n.]{0,30}\bcells?\b[^\n.]{0,30}\bnotebook\b)",
    ),
    ("pytorch has cuda", r"PyTorch has CUDA version[= ](?P<pytorch_cuda>1[0-3]\.\d)"),
    # The CUDA of a toolkit or an environment: what nvcc prints, or what a person calls it.
    ("release 1", r"\brelease (?P<text_cuda>1[0-3]\.\d), V1"),
    ("cuda_1", r"\bcuda_(?P<text_cuda>1[0-3]\.\d)\.r1"),
    (
        "cuda",
        r"(?<!smi )(?<!show )(?<!shows )(?<!smi: )\bcuda(?:toolkit)?[ =:]{0,2}v?"
        r"(?P<text_cuda>1[0-3]\.\d)(?![\w.]?\d)",
    ),
    # A command with a variable in front of it, as a Linux shell takes it.
    (
        "=",
        # At the start of a line or behind a prompt, or before a program that is known.
        r"(?:(?:^|[`>$]\s{0,2})|(?:\s|(?<!\w)[_*]{1,2})"
        r"(?=[A-Z_\d]{2,80}=\S{1,60} (?:python|torchrun|accelerate|deepspeed|pip)))"
        r"(?P<env_name>(?-i:[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,5}|PYTHONPATH))="
        r"['\"]?(?P<env_value>[\w.,:/\\-]{1,60})['\"]? +"
        r"(?P<env_command>[\w./-]{3,60}(?: (?:-m [\w.]{1,80}|[\w./\\-]{1,120}\.py))?)(?![\w.@]*[=@])",
    ),
    # The line that compiles a model.
    (
        "torch.compile(",
        r"File \"(?P<compile_file>(?:(?!site-packages|[\\/]torch[\\/])[^\"\n]){1,300}\.py)\", "
        r"line (?P<compile_line>\d{1,6}), in [^\n ]{1,80} [^\n]{0,120}torch\.compile\(",
    ),
    # The line that gives the name of an open file to what opens it again.
    (
        ".name",
        r"File \"(?P<temp_file>(?:(?!site-packages|[\\/]lib[\\/])[^\"\n]){1,300}\.py)\", "
        r"line (?P<temp_line>\d{1,6}), in [^\n ]{1,80} [^\n]{0,120}\([^\n]{0,120}?"
        r"\b(?P<temp_variable>\w{0,20}(?:te?mp|file|wav|audio|video|image)\w{0,20}|fp?|f[dh]|out|tf)\.name\b",
    ),
    # The line that takes a path apart at the separator of Linux.
    (
        "split(",
        r"File \"(?P<split_file>(?:(?!site-packages|[\\/]lib[\\/])[^\"\n]){1,300}\.py)\", "
        r"line (?P<split_line>\d{1,6}), in [^\n ]{1,80} [^\n]{0,200}?"
        r"(?P<split_value>[\w.]{1,60}(?:\[['\"\w]{1,40}\]){0,3})\.(?P<split_call>r?split\(['\"]/['\"][^\n()]{0,20}\))",
    ),
    # The same with a folder in front of the separator: what stands behind is a path, and not a name.
    (
        "split(",
        r"File \"(?P<below_file>(?:(?!site-packages|[\\/]lib[\\/])[^\"\n]){1,300}\.py)\", "
        r"line (?P<below_line>\d{1,6}), in [^\n ]{1,80} [^\n]{0,200}?"
        r"(?P<below_value>[\w.]{1,60})\.split\((?P<below_folder>[\w.]{1,60}) ?\+ ?['\"]/['\"]\)\[(?:1|-1)\]",
    ),
    # The ONNX Runtime in the folder of a program that was compiled.
    (
        "onnxruntime_providers_cuda.dll",
        r"(?P<native_ort>(?<!\w)[a-z]:[\\/](?:(?!site-packages|python|venv)[\w .+-]{1,80}[\\/]){0,12}"
        r"(?:build|bin|debug|release|RelWithDebInfo|x64|native)[\\/](?:[\w .+-]{1,60}[\\/]){0,4}"
        r"onnxruntime_providers_cuda\.dll)",
    ),
    # The line that starts a process group.
    (
        "init_process_group(",
        r"File \"(?P<group_file>(?:(?!site-packages|[\\/]torch[\\/])[^\"\n]){1,300}\.py)\", "
        r"line (?P<group_line>\d{1,6}), in [^\n ]{1,80} [^\n]{0,80}init_process_group\(",
    ),
    # The frame that asks for a start method.
    (
        "cannot find context",
        r"File \"(?P<fork_file>[^\"\n]{1,300}\.py)\", line (?P<fork_line>\d{1,6}), in [^\n]{1,300}\n"
        r"\s{0,8}File \"[^\"\n]{1,300}multiprocessing[\\/]context\.py\"",
    ),
    # What a finished package with a launcher is called in Chinese.
    ("", r"(?P<packaged>整合包|启动器|一键包|\bintegration packa?ge?\b)"),
    # Pinokio installs programs in folders of its own, with an environment that their start files do not know.
    ("pinokio", r"(?P<pinokio>[a-z]:[\\/](?:[\w .-]{1,60}[\\/]){0,4}?pinokio)[\\/]api[\\/]"),
    # No worker processes, and the error is gone: with the words for it behind or in front.
    (
        "worker",
        r"(?<!--)\b\w{0,20}workers?\)? ?(?:=|to|as|:)?=? ?['`]?0\b"
        r"(?![^\n]{0,40}(?:also|still|too\b|same error|not (?:work|help)))[^\n]{0,40}?"
        r"\b(?P<zero_works>works|is fine|runs|helps|resolves|solves|fixes|avoids|skips?|avoided"
        r"|but (?:it is |very )?slow)\b",
    ),
    (
        "worker",
        r"\b(?P<zero_works>avoid|fix|skip|solve)(?:ed|s)?\b[^\n]{0,40}?workers? ?(?:=|to|as|:)=? ?0\b",
    ),
    # The error comes with workers only.
    (
        "worker",
        r"\b(?P<zero_works>as soon as|only (?:when|if|with|for)|whenever)\b[^\n]{0,40}?workers?\b"
        r"[^\n]{0,40}?(?:\b(?:above|greater than|larger than|more than|bigger than|over) |> ?)0\b",
    ),
    (
        "workers",
        r"\bset(?:ting|s)? (?:it|this|them|that|the number|the parameter) (?:as|to|at|=) ?[\"'`]?"
        r"(?P<zero_works>0)\b(?![^\n.]{0,60}\b(?:also|still|too|same|not|only)\b|[^\n.]{0,60}n't\b)"
        r"[^\n.]{0,60}\b(?:runs?|works?|worked|fine|ok|smoothly|goes)\b",
    ),
    (
        "workers",
        r"\b(?:unless (?:i|you|we) |(?:if|when) (?:i|you|we) (?:do not|don.t|did not|didn.t) )"
        r"(?:set|use|put) (?:the )?[^\n.]{0,20}workers (?:as|to|=|at) ?(?P<zero_works>0)\b[^\n.]{0,30}"
        r"\b(?:error|broken|fail\w{0,2}|crash\w{0,2})",
    ),
    (
        "worker",
        r"workers?\w{0,10}[^\n]{0,20}(?:改(?:成|为|到)|设(?:置)?(?:为|成)|[=为]) ?(?P<zero_works>0)(?!\d)"
        r"(?![^\n]{0,24}(?:还是|仍|依然|依旧|也不|也没|也报))[^\n]{0,24}?"
        r"(?:就(?:好|行|没有?(?:报错|问题)|不(?:会)?报错)|(?<!不)可以|(?<![不没])正常|(?<!不)能够?(?:训|跑|运))",
    ),
    # The folder of an environment or of an installation.
    # What GitHub packs has only the sources, and no Python.
    ("-main", r"[\\/][\w.-]{2,80}-(?P<source_folder>main)(?=[\\/>])"),
    ("-master", r"[\\/][\w.-]{2,80}-(?P<source_folder>master)(?=[\\/>])"),
    ("site-packages", r"[\\/](?P<packages_in>[\w .+-]{1,60})[\\/]lib[\\/]site-packages[\\/]"),
    ("50", r"(?<![\w.-])(?P<gpu_number>[2345]0[5-9]0) ?(?:ti|super)\b"),
    ("50", r"\b(?:an?|my|using|with|on) (?P<gpu_number>50[5-9]0)\b"),
    # A package that does not work with every torch: its folder, or its line in a list of pip's.
    ("site-packages", rf"site-packages[\\/](?P<limited>{LIMITED})[\\/]"),
    ("", rf"(?:^|\n)(?P<limited>{LIMITED})(?: {{2,}}|==)\d"),
    # A redistributable that is there, and did not help.
    (
        "redist",
        r"(?:install|reinstall|tried|安装|重装)[^\n]{0,40}(?P<redist_tried>vc_?redist|redistributable)[^\n]{0,60}"
        r"(?:没有解决|没用|没有用|无效|(?:not|n't) (?:help|fix|solve|work)|no (?:luck|effect|change))",
    ),
    # A program in C++ or Rust that uses libtorch.
    ("tch", r"(?P<libtorch>\btch(?:-rs|(?= 0\.\d))|\btch::)"),
    (
        "torch",
        r"(?P<libtorch>\blibtorch\b|\btorchlib\b|torch/(?:script|torch)\.h\b|find_package\(Torch|\btorch::jit::)",
    ),
    # The script of a finished program: in the command that froze it, or in what PyInstaller's loader says.
    ("pyinstaller", r"\bpyinstaller (?:[^\s|&;]{1,80} ){0,12}(?P<frozen_script>[\w-]{1,60})\.py\b"),
    ("failed to execute", r"failed to execute script '?(?P<frozen_script>(?!__main__|pyi_)[\w-]{1,60})"),
    (
        "pyi",
        r"File \"(?P<frozen_script>[\w-]{1,60})\.py\", line \d{1,6}, in <module>\s{1,8}"
        r"(?:[^\n]{0,300}\n\s{0,8})?File \"(?:<frozen importlib|PyInstaller)",
    ),
    # The folder of an edition of Visual Studio.
    (
        "microsoft visual studio",
        r"(?P<vs_folder>[a-z]:[\\/]{1,2}Program Files(?: \(x86\))?[\\/]{1,2}Microsoft Visual Studio[\\/]{1,2}"
        r"\d{2,4}[\\/]{1,2}\w{5,15})[\\/]",
    ),
    # Packages that allow certain releases of NumPy only.
    ("cellpose", r"\b(?P<cellpose>cellpose)\b"),
    ("numba", r"\b(?P<numba>numba)\b"),
    # The window of a program that closes before anybody can read it.
    *(
        (word, _WINDOW_GONE)
        for word in ("window", "console", "cmd", "terminal", "prompt", ".bat", "bat file")
    ),
    *((word, _WINDOW_GONE) for word in ("窗口", "黑框", "命令行", "终端")),
    *((word, _OFFLINE) for word in ("offline", "gapped", "internet", "离线", "内网", "интернет")),
    # Letters that a console could not show.
    ("?????", r"(?P<lost_letters>\?{5,}(?: ?[?,.，。]{2,}){0,20})"),
    ("file path:", r"file path: (?P<path>[^\n]{1,300})"),
    # A report of the environment lists DLLs that are only there, and a log those that were found.
    (
        ".dll",
        r"(?m)^(?!(?:cuDNN|CUPTI|TensorRT)[^\n:]{0,20} version: )"
        r"(?![^\n]{0,300}\bSuccessfully opened dynamic library )"
        r"[^\n]*?(?P<dll>(?<![\w.-])[\w.-]{1,100}\.dll)\b",
    ),
)
