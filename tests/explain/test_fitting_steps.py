"""The first step of an answer is the one that cures the text, and steps that do not apply are left out."""

import pytest

from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge

LOADING = 'OSError: [WinError 126] The specified module could not be found. Error loading "{}" or one of its dependencies.'
STORE = r"C:\Users\u\AppData\Local\Packages\PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0\LocalCache\local-packages\Python311\site-packages\torch"

# A name, the text, what the first step shows, and what no step shows.
TEXTS = [
    (
        "the line of IPython's traceback tells the release",
        "File ~\\anaconda3\\Lib\\site-packages\\torch\\__init__.py:148\n    148     raise err\n"
        + LOADING.format(r"C:\Users\u\anaconda3\Lib\site-packages\torch\lib\fbgemm.dll"),
        r"C:\Users\u\anaconda3\python.exe -m pip install torch==2.4.1",
        "vc_redist.x64.exe",
    ),
    (
        "the Python of the Store is started by its version",
        LOADING.format(STORE + r"\lib\backend_with_compiler.dll")
        + "\nimport intel_extension_for_pytorch as ipex",
        "python3.11 -m pip uninstall -y intel-extension-for-pytorch",
        "vc_redist.x64.exe",
    ),
    (
        "torch is wanted without a graphics card",
        "Do I need a graphics card for torch?\nfrom torch._C import *\n"
        "ImportError: DLL load failed: The specified module could not be found.",
        "https://download.pytorch.org/whl/cpu",
        "whl/cu",
    ),
]


@pytest.mark.parametrize(
    ("text", "shown", "hidden"), [each[1:] for each in TEXTS], ids=[each[0] for each in TEXTS]
)
def test_first_step_cures(text: str, shown: str, hidden: str, knowledge: Knowledge) -> None:
    fix = explain(text, knowledge).diagnoses[0].fix
    assert shown in fix[0] and not any(hidden in step for step in fix), fix[0]
