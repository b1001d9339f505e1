"""What is read from a text stands alone, whatever letters stand beside it."""

import pytest

from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge

# Words of languages that put no space beside a name.
NEIGHBOURS = ("加载{}错误", "「{}」が見つかりません", "파일{}을", "ошибка:{}")
NAMES = ("onnxruntime_providers_cuda.dll", "cudnn_ops64_9.dll", "c10.dll")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_dll_is_read_without_the_words_beside_it(neighbour: str, name: str, knowledge: Knowledge) -> None:
    text = f"ImportError: {neighbour.format(name)} LoadLibrary failed with error 126"
    assert explain(text, knowledge).values["dll"] == name


UNIX_LINES = (
    "user@thinker:~$ pip install torch",
    "root@host:/srv# python train.py",
    "Platform: linux-64",
    "https://conda.anaconda.org/pytorch/linux-64",
    "sudo pip install torch",
)


@pytest.mark.parametrize("line", UNIX_LINES)
def test_line_of_another_system_makes_an_answer_possible_at_most(line: str, knowledge: Knowledge) -> None:
    error = "ERROR: torch-0.3.1-cp27-cp27mu-linux_x86_64.whl is not a supported wheel on this platform."
    assert explain(error, knowledge).recognised
    assert not explain(f"{line}\n{error}", knowledge).recognised


@pytest.mark.parametrize("name", ["训练", "обучить", "entraîner"])
def test_names_in_any_letters_are_read(name: str, knowledge: Knowledge) -> None:
    text = f'Traceback (most recent call last):\n  File "D:\\项目\\{name}.py", line 3, in {name}\nKeyError: 1'
    values = explain(text, knowledge, on_screen=True).values
    assert (values["file"], values["function"]) == (rf"D:\项目\{name}.py", name)


COMMANDS = {
    "[Bug]: pip install flair causes UnicodeDecodeError": None,
    "pip install flair causes UnicodeDecodeError": None,
    "I typed pip install flair with the newest Python": None,
    "the docs say pip install spacy transformers": None,
    "!pip install flair": "flair",
    "(base) C:\\Users\\user> pip install torch torchvision": "torch torchvision",
    "PS D:\\x> python -m pip install --upgrade timm": "--upgrade timm",
    "I typed pip install flair": "flair",
    "`pip install mmcv==1.7.2`": "mmcv==1.7.2",
}


@pytest.mark.parametrize(("line", "arguments"), COMMANDS.items())
def test_words_of_a_sentence_are_no_packages(line: str, arguments: str | None, knowledge: Knowledge) -> None:
    text = f"{line}\nUnicodeDecodeError: 'charmap' codec can't decode byte 0x9d in position 6173"
    assert explain(text, knowledge, on_screen=True).values.get("pip_arguments") == arguments


SPAWN = r"""
Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "C:\Users\user\Anaconda3\lib\multiprocessing\spawn.py", line 105, in spawn_main
    exitcode = _main(fd)
  File "C:\Users\user\Anaconda3\lib\multiprocessing\spawn.py", line 115, in _main
    self = reduction.pickle.load(from_parent)
EOFError: Ran out of input
"""
DRIVER = r"""
Traceback (most recent call last):
  File "D:\e\lib\site-packages\torch\cuda\__init__.py", line 161, in _lazy_init
    _check_driver()
  File "D:\e\lib\site-packages\torch\cuda\__init__.py", line 75, in _check_driver
    raise AssertionError("Torch not compiled with CUDA enabled")
AssertionError: Torch not compiled with CUDA enabled
"""


def test_lines_of_a_traceback_tell_its_python_and_its_torch(knowledge: Knowledge) -> None:
    values = explain(SPAWN, knowledge).values
    assert values["frames_python"] == "3.6-3.7"
    assert "python_version" not in values
    assert explain(DRIVER, knowledge).values["frames_torch"] == "1.0.0-1.1.0"


@pytest.mark.parametrize("user", ["José", "张伟", "Łukasz Żak"])
def test_interpreter_of_any_user_is_named(user: str, knowledge: Knowledge) -> None:
    text = f'File "C:\\Users\\{user}\\venv\\Lib\\site-packages\\torch\\__init__.py", line 3, in <module>'
    assert explain(text, knowledge).values["python"] == rf"C:\Users\{user}\venv\Scripts\python.exe"


MAKERS = {
    "Intel Arc A770, torch 2.8.0+xpu": "intel",
    "AMD Radeon RX 7900 XTX": "amd",
    "Intel Arc 140V and NVIDIA GeForce RTX 4060": None,
    "RTX 3060, torch 2.1.0+cu121": "nvidia",
    "My GPU is a Radeon 6650 XT": "amd",
    "AMD Radeon RX Vega 56": "amd",
    "The AMD graphics card I use shows nothing": "amd",
    # Part of a processor: it says nothing about the card beside it.
    "an integrated Radeon 780m and a dedicated 4070": None,
    "AMD Ryzen 3 3200U with Radeon Vega Mobile Gfx": None,
    "AMD Radeon(TM) Graphics": None,
    "ComfyUI-Zluda with a card of AMD": "amd",
    "a plain text": None,
}


def test_dll_that_a_log_has_opened_is_not_the_one_that_failed(knowledge: Knowledge) -> None:
    text = "Successfully opened dynamic library cudart64_100.dll\nexit code -1073741819 (0xC0000005)\nimport torch"
    assert "dll" not in explain(text, knowledge).values


@pytest.mark.parametrize("text", MAKERS)
def test_maker_of_the_card_is_read_where_no_other_is_named(text: str, knowledge: Knowledge) -> None:
    assert explain(text, knowledge).values.get("maker") == MAKERS[text]


def test_advice_for_an_intel_card_leaves_its_own_triton(knowledge: Knowledge) -> None:
    text = "Intel Arc 140V, XPU\nRuntimeError: Failed to find C compiler. Please specify via CC environment variable"
    answer = explain(text, knowledge).diagnoses[0]
    assert answer.name == "triton-missing"
    assert not any(
        "install" in line and '"triton-windows' in line for step in answer.fix for line in step.split("\n")
    )


REFUSED = (
    '  File "D:\\{}\\loading.py", line 118, in load\n    torch.load(path)\n'
    '  File "C:\\py\\Lib\\site-packages\\torch\\serialization.py", line 1470, in load\n'
    "_pickle.UnpicklingError: Weights only load failed."
)
CALLERS = {"project\\models": "D:\\project\\models\\loading.py", "py\\Lib\\site-packages\\ultralytics": None}


@pytest.mark.parametrize(("folder", "expected"), CALLERS.items())
def test_own_file_that_calls_torch_is_read(folder: str, expected: str | None, knowledge: Knowledge) -> None:
    text = "Traceback (most recent call last):\n" + REFUSED.format(folder)
    assert explain(text, knowledge).diagnoses[0].values.get("own_caller") == expected


def test_secret_in_front_of_a_command_is_not_read(knowledge: Knowledge) -> None:
    message = "'WANDB_API_KEY' is not recognized as an internal or external command"
    text = f"> WANDB_API_KEY=0123abcd01 python train.py\n{message}"
    assert "env_value" not in explain(text, knowledge).values


FAILED = 'Command: "D:\\app\\venv\\Scripts\\python.exe" -m pip install torch==2.4.1\nERROR: No matching distribution found for torch==2.4.1'


@pytest.mark.parametrize(
    ("quotation", "is_advice"),
    [
        ("> With Python 3.9 it works for me:\n> uv pip install numpy==1.26", True),
        ("> You can try `conda install numpy=1.26` in that folder", True),
        ("> pip install numpy==1.26", False),
        (">conda install numpy=1.26", False),
        ("> You see what I did here:\n> pip install numpy==1.26\n> ERROR: something", False),
        ("> You see what I did here:\n> pip install numpy==1.26\n> Collecting numpy==1.26", False),
    ],
)
def test_advice_of_somebody_else_is_no_command_of_the_person(
    quotation: str, is_advice: bool, knowledge: Knowledge
) -> None:
    values = explain(f"{quotation}\n\nThat did not help.\n{FAILED}", knowledge).values
    assert (values.get("pip_arguments") == "torch==2.4.1") == (is_advice or "conda" in quotation)
    assert ("installer" not in values and "python_version" not in values) == (
        is_advice or "conda" not in quotation
    )


_REPLACES = "Found existing installation: torch 2.6.0+cu124\nUninstalling torch-2.6.0+cu124:\n"


@pytest.mark.parametrize(
    ("rest", "version"),
    [
        ("Successfully uninstalled torch-2.6.0+cu124\nSuccessfully installed torch-2.9.1", "2.9.1"),
        ("ERROR: [WinError 5] Access is denied: 'c10.dll'", "2.6.0+cu124"),
    ],
)
def test_torch_that_pip_removed_is_not_the_installed_one(
    rest: str, version: str, knowledge: Knowledge
) -> None:
    assert explain(f"{_REPLACES}{rest}\nimport torch fails", knowledge).values["torch_version"] == version


@pytest.mark.parametrize(
    "text",
    [
        "uv remove torch",
        "uv python install 3.12",
        "error: failed to remove file `C:\\e\\.venv\\Lib\\site-packages\\torch\\lib\\c10.dll`: Access is denied.",
    ],
)
def test_uv_is_known_by_its_commands_and_messages(text: str, knowledge: Knowledge) -> None:
    assert explain(f"{text}\nNo module named 'torch'", knowledge).values["installer"] == "uv"


@pytest.mark.parametrize(
    ("tag", "cuda"), [("cu118", "11.8"), ("cu92", "9.2"), ("cu12", None), ("cu11.8", None)]
)
def test_tag_of_a_build_names_a_release_of_cuda(tag: str, cuda: str | None, knowledge: Knowledge) -> None:
    text = f"torch-2.1.0+{tag}: AssertionError: Torch not compiled with CUDA enabled"
    assert explain(text, knowledge).values.get("cuda_version") == cuda


@pytest.mark.parametrize(
    ("told", "works"),
    [
        ("num_workers=4 fails. When I set it as 0, the training runs smoothly", True),
        ("把 workers_per_gpu 改成0（默认12）后，就可以正常训练了", True),
        ("if I do not set num_workers as 0, I get this error", True),
        ("when I set num_workers as 0, I get this error", False),
        ("I use 4 workers. Setting it to 0 also does not work", False),
        ("num_workers 改为0还是不能正常训练", False),
        ("num_workers设为0后就报错", False),
    ],
)
def test_loading_without_workers_is_known_to_work(told: str, works: bool, knowledge: Knowledge) -> None:
    assert ("zero_works" in explain(told, knowledge).values) == works
