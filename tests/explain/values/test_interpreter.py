"""The interpreter of a Windows text is read from the folder of its packages, where that is certain."""

import pytest

from torchdoctor.explain import explain
from torchdoctor.explain.values.interpreter import (
    guess_interpreter,
    read_interpreter,
    read_program_folder,
    read_relative_interpreter,
)

FRAME = 'File "{}\\Lib\\site-packages\\torch\\__init__.py", line 5, in <module>'


@pytest.mark.parametrize(
    ("folder", "python"),
    [
        (r"D:\ComfyUI\python_embeded", r"D:\ComfyUI\python_embeded\python.exe"),
        (r"C:\work\.venv", r"C:\work\.venv\Scripts\python.exe"),
        (r"C:\sd\venv", r"C:\sd\venv\Scripts\python.exe"),
        (r"C:\Users\x\miniconda3\envs\torch", r"C:\Users\x\miniconda3\envs\torch\python.exe"),
        (r"C:\Program Files\Python311", r"C:\Program Files\Python311\python.exe"),
        (
            r"C:\Users\x\AppData\Roaming\uv\tools\thing",
            r"C:\Users\x\AppData\Roaming\uv\tools\thing\Scripts\python.exe",
        ),
        (r"C:\Users\x\miniforge3", r"C:\Users\x\miniforge3\python.exe"),
        (r"C:\Users\x\.conda\envs\my-venv", r"C:\Users\x\.conda\envs\my-venv\python.exe"),
        (r"C:\Users\x\Envs\torch", None),
        (
            r"D:\pypoetry\Cache\virtualenvs\a-py3.11",
            r"D:\pypoetry\Cache\virtualenvs\a-py3.11\Scripts\python.exe",
        ),
        (r"X:\voice-3.0\runtime", r"X:\voice-3.0\runtime\python.exe"),
        (r"L:\webui\installer_files\env", r"L:\webui\installer_files\env\python.exe"),
        (r"B:\python", r"B:\python\python.exe"),
        (r"E:\tool\python-3.10.11-embed", r"E:\tool\python-3.10.11-embed\python.exe"),
        (r"E:\tool\Python embedded", r"E:\tool\Python embedded\python.exe"),
        (r"C:\work\env", None),
        (r"C:\work\myenv", r"C:\work\myenv\Scripts\python.exe"),
        (r"C:\work\python-projects", None),
        (r"C:\a;calc\venv", None),
        (r"C:\a$(calc)\venv", None),
        (
            r"C:\Blender Foundation\Blender 4.2\4.2\python",
            r"C:\Blender Foundation\Blender 4.2\4.2\python\bin\python.exe",
        ),
        (
            r"C:\Users\x\AppData\Local\slicer.org\3D Slicer 5.12.2\lib\Python",
            r"C:\Users\x\AppData\Local\slicer.org\3D Slicer 5.12.2\bin\PythonSlicer.exe",
        ),
        (r"D:\apps\Slicer 5.6.2\lib\Python", r"D:\apps\Slicer 5.6.2\bin\PythonSlicer.exe"),
        (r"D:\meat-slicer\lib\Python", r"D:\meat-slicer\lib\Python\python.exe"),
    ],
)
def test_reads_the_interpreter(folder: str, python: str | None) -> None:
    assert read_interpreter(FRAME.format(folder)) == python


@pytest.mark.parametrize(
    ("folder", "python"),
    [
        (r"D:\environment\pythton310", r"D:\environment\pythton310\python.exe"),
        (r"F:\1\envs\manga", r"F:\1\envs\manga\python.exe"),
        (r"C:\work\env", r"C:\work\env\Scripts\python.exe"),
        (r"D:\doc\kg", r"D:\doc\kg\Scripts\python.exe"),
    ],
)
def test_guesses_the_interpreter_of_a_folder_without_a_known_name(folder: str, python: str) -> None:
    assert guess_interpreter(FRAME.format(folder))["likely_python"] == python


def test_folder_in_which_pip_builds_is_no_installation() -> None:
    text = FRAME.format(r"C:\Temp\pip-build-env-c13\overlay")
    assert (read_interpreter(text), guess_interpreter(text)) == (None, {})


@pytest.mark.parametrize(
    ("library", "python"),
    [
        (r"D:\envs\x", r"D:\envs\x\python.exe"),
        (r"C:\Py310", r"D:\envs\x\Scripts\python.exe"),
    ],
    ids=["its own", "of another Python"],
)
def test_place_of_the_standard_library_tells_a_virtual_environment(library: str, python: str) -> None:
    text = FRAME.format(r"D:\envs\x") + f'\nFile "{library}\\lib\\runpy.py", line 86, in _run_code'
    assert read_interpreter(text) == python


@pytest.mark.parametrize(
    ("text", "python"),
    [
        (r"D:\ComfyUI\.venv\Scripts\python.exe: No module named pip", r"D:\ComfyUI\.venv\Scripts\python.exe"),
        (
            r'File "M:\x\ComfyUI_windows_portable\ComfyUI\nodes.py"',
            r"M:\x\ComfyUI_windows_portable\python_embeded\python.exe",
        ),
        (r"C:\a\python.exe and C:\b\python.exe", None),
        (r"python.exe is not there", None),
        (r"PS C:\Git\Sync> miniconda3/python.exe -V", r"C:\Git\Sync\miniconda3\python.exe"),
        (r"D:\A B>..\python_embeded\python.exe -m pip list", r"D:\python_embeded\python.exe"),
        (r"E:\x>& '.\env\python.exe' main.py", r"E:\x\env\python.exe"),
        (
            r"C:\Packages\PythonSoftwareFoundation.Python.3.10_qbz5n\LocalCache\local-packages\Python310\x.py",
            "python3.10",
        ),
    ],
    ids=[
        "one executable",
        "portable ComfyUI",
        "two executables",
        "no path",
        "below the prompt",
        "above the prompt",
        "quoted",
        "Microsoft Store",
    ],
)
def test_reads_the_interpreter_without_a_folder_of_packages(text: str, python: str | None) -> None:
    assert read_interpreter(text) == python


def test_environment_of_a_web_ui_is_in_its_folder(knowledge) -> None:
    text = 'venv "C:\\sd\\webui\\venv\\Scripts\\Python.exe"\nAssertionError: Torch not compiled with CUDA enabled'
    assert explain(text, knowledge).values["python"].lower() == r"c:\sd\webui\venv\scripts\python.exe"


def test_portable_program_is_named_by_its_folder(knowledge) -> None:
    text = (
        r"Cannot import D:\SD\ComfyUI_windows_portable\ComfyUI\custom_nodes\x:"
        "\nAssertionError: Torch not compiled with CUDA enabled"
    )
    python = r"D:\SD\ComfyUI_windows_portable\python_embeded\python.exe"
    assert explain(text, knowledge).values["python"] == python


def test_torch_beside_the_standard_library_tells_the_interpreter() -> None:
    text = 'File "D:\\Python312\\Lib\\torch\\__init__.py", line 148, in <module>'
    assert read_interpreter(text) == r"D:\Python312\python.exe"


def test_two_installations_are_not_certain() -> None:
    assert read_interpreter(FRAME.format(r"C:\v\venv") + FRAME.format(r"C:\Python311")) is None


def test_spellings_of_one_folder_are_one() -> None:
    text = FRAME.format(r"C:\v\venv") + FRAME.format(r"c:\V\venv")
    assert str(read_interpreter(text)).lower() == r"c:\v\venv\scripts\python.exe"


def test_steps_name_the_interpreter(knowledge) -> None:
    text = FRAME.format(r"D:\C\python_embeded") + "\nAssertionError: Torch not compiled with CUDA enabled"
    first = explain(text, knowledge).diagnoses[0]
    assert r"D:\C\python_embeded\python.exe -c " in first.fix[0]


def test_step_in_a_new_environment_keeps_its_python(knowledge) -> None:
    text = (
        FRAME.format(r"D:\C\python_embeded")
        + "\nOSError: [WinError 206] The filename or extension is too long"
    )
    steps = explain(text, knowledge).diagnoses[0].fix
    assert [
        step for step in steps if "ctivate" in step and r"python_embeded\python.exe -m pip install" in step
    ] == []


def test_question_names_the_interpreter(knowledge) -> None:
    text = (
        r"Cannot import D:\SD\ComfyUI_windows_portable\ComfyUI\custom_nodes\x:"
        "\nImportError: DLL load failed while importing onnx_cpp2py_export: A dynamic link library (DLL)"
        " initialization routine failed."
    )
    question = explain(text, knowledge).question
    assert question.command == r"D:\SD\ComfyUI_windows_portable\python_embeded\python.exe -m pip list"


@pytest.mark.parametrize(
    ("python", "folders"),
    [
        (r"D:\C\python_embeded\python.exe", {"portable_folder": r"D:\C"}),
        (r"D:\UI\venv\Scripts\python.exe", {"venv_folder": r"D:\UI"}),
        (r"D:\venv\Scripts\python.exe", {"venv_folder": "D:\\"}),
        (r"D:\env\python.exe", {}),
        ("python3.12", {}),
    ],
    ids=["portable", "venv", "drive", "conda", "store"],
)
def test_folder_of_the_program(python: str, folders: dict[str, str]) -> None:
    assert read_program_folder(python) == folders


USER_FRAME = r'File "C:\Users\x\AppData\Roaming\Python\Python312\site-packages\torch\__init__.py", line 5'


@pytest.mark.parametrize(
    ("beside", "python"),
    [
        ("", "py -3.12"),
        (r'File "C:\Program Files\Python312\Lib\runpy.py", line 1', r"C:\Program Files\Python312\python.exe"),
        (r'File "D:\py\Scripts\whisper.exe\__main__.py", line 7', r"D:\py\python.exe"),
        (r'File "C:\a\Lib\runpy.py", line 1, File "D:\b\Lib\runpy.py", line 1', None),
        (r'File "C:\Users\x\AppData\Roaming\Python\Python310\site-packages\a.py", line 5', None),
        ("(base) conda", None),
        (
            r'File "C:\Users\x\AppData\Roaming\Python\Python312\Scripts\whisper.exe\__main__.py", line 7',
            "py -3.12",
        ),
    ],
)
def test_python_of_a_user_folder_is_the_one_that_runs_or_that_the_launcher_finds(
    beside: str, python: str | None
) -> None:
    assert read_interpreter(f"{beside}\n{USER_FRAME}") == python


@pytest.mark.parametrize(
    ("text", "python"),
    [
        (r"I typed .\python_embeded\python.exe -m pip install foo", r".\python_embeded\python.exe"),
        (r"app\system\python\python.exe main.py", r".\app\system\python\python.exe"),
        (r"runtime\python.exe a.py and .\runtime\python.exe b.py", r".\runtime\python.exe"),
    ],
)
def test_reads_the_python_of_a_portable_program_from_its_folder(text: str, python: str) -> None:
    assert read_relative_interpreter(text)["python"] == python


@pytest.mark.parametrize(
    "text",
    [
        r"C:\apps\python_embeded\python.exe x.py",
        r"python_embeded\python.exe x.py, system\python\python.exe y.py",
        "'python_embeded\\python.exe' is not recognized as an internal or external command",
        r"venv\Scripts\python.exe x.py",
    ],
    ids=["whole", "two", "not there", "environment"],
)
def test_other_python_has_no_path_from_the_folder(text: str) -> None:
    assert read_relative_interpreter(text) == {}


def test_folder_of_a_patch_release_is_an_installation() -> None:
    frame = r'File "C:\Python38_6\lib\site-packages\torch\__init__.py", line 117, in <module>'
    assert read_interpreter(frame) == r"C:\Python38_6\python.exe"
