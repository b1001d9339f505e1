"""No secret that stands where a value is read comes into an answer, whatever the form of the error."""

import ast
import dataclasses
import inspect
import re
import sys

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.fill import fill
from torchdoctor.explain.rank import Ranked
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.redaction.shown_values import ShownValues

FRAME = 'Traceback (most recent call last):\n  File "D:\\proj\\train.py", line 10, in <module>\n    main()\n'
WORKER = (
    'Traceback (most recent call last):\n  File "D:\\proj\\train.py", line 10, in <module>\n    for x in loader:\n'
    '  File "C:\\p\\lib\\site-packages\\torch\\utils\\data\\dataloader.py", line 1000, in __init__\n    w.start()\n'
    '  File "C:\\p\\lib\\multiprocessing\\popen_spawn_win32.py", line 95, in __init__\n    reduction.dump(process_obj, to_child)\n'
)
FORMS = {
    "term": "{x} : The term '{x}' is not recognized as the name of a cmdlet, function, script file, or operable program.",
    "command": "C:\\app>{x}\n'{x}' is not recognized as an internal or external command,\noperable program or batch file.",
    "german command": 'Der Befehl "{x}" ist entweder falsch geschrieben oder\nkonnte nicht gefunden werden.',
    "run module": "C:\\app>python -m {x}\nC:\\p\\python.exe: No module named {x}",
    "found module": "C:\\p\\python.exe: Error while finding module specification for '{x}' (ModuleNotFoundError: No module named '{x}')",
    "module": f"{FRAME}ModuleNotFoundError: No module named '{{x}}'",
    "package": f"{FRAME}ModuleNotFoundError: No module named '{{x}}'; '{{x}}' is not a package",
    "name": f"{FRAME}ImportError: cannot import name '{{x}}' from 'torch' (C:\\p\\lib\\site-packages\\torch\\__init__.py)",
    "shadow": f"{FRAME}AttributeError: partially initialized module '{{x}}' has no attribute 'cuda'",
    "attribute": f"{FRAME}AttributeError: module 'torch' has no attribute '{{x}}'",
    "keyword": f"{FRAME}TypeError: DataLoader.__init__() got an unexpected keyword argument '{{x}}'",
    "function": f"{WORKER}_pickle.PicklingError: Can't pickle <function {{x}} at 0x000001>: attribute lookup {{x}} on __main__ failed",
    "class": f"{WORKER}_pickle.PicklingError: Can't pickle <class '__main__.{{x}}'>: it's not the same object as __main__.{{x}}",
    "local object": f"{WORKER}AttributeError: Can't pickle local object '{{x}}.<locals>.<lambda>'",
    "object": f"{WORKER}TypeError: cannot pickle '{{x}}' object",
    "bare object": f"{WORKER}_pickle.PicklingError: Can't pickle {{x}}: it's not found as __main__.{{x}}",
    "worker attribute": f"{WORKER}AttributeError: Can't get attribute '{{x}}' on <module '__main__' (built-in)>",
    "reason": "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: {x} (_ssl.c:1007)",
    "cut reason": "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: {x}",
    "denied": "ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied: '{x}'",
    "missing file": f"{FRAME}FileNotFoundError: [WinError 2] The system cannot find the file specified: '{{x}}'",
    "illegal name": f"{FRAME}OSError: [WinError 123] The filename, directory name, or volume label syntax is incorrect: '{{x}}'",
    "requirement": "C:\\app>pip install {x}\nERROR: No matching distribution found for {x}",
    "release": "ERROR: Could not find a version that satisfies the requirement torch=={x} (from versions: 2.0.0)",
    "wheel": "Building wheel for {x} (setup.py) ... error\nerror: Microsoft Visual C++ 14.0 or greater is required.",
    "global": f"{FRAME}_pickle.UnpicklingError: Weights only load failed. Unsupported global: GLOBAL {{x}}.Foo was not an allowed",
    "extension": f"{FRAME}ImportError: DLL load failed while importing {{x}}: The specified module could not be found.",
    "dll": "OSError: [WinError 126] The specified module could not be found. Error loading \"{x}\" or one of its dependencies.",
    "variable": "C:\\app>CUDA_VISIBLE_DEVICES={x} python train.py\n'CUDA_VISIBLE_DEVICES' is not recognized as an internal command",
    "operator": f"{FRAME}RuntimeError: operator {{x}}::nms does not exist",
    "backend": f"{FRAME}RuntimeError: Distributed package doesn't have {{x}} built in",
    "frozen": "[1234] Failed to execute script '{x}' due to unhandled exception!\nModuleNotFoundError: No module named 'torch'",
    "uv": "error: Failed to spawn: `{x}`\n  Caused by: program not found",
    "launcher": "Fatal error in launcher: Unable to create process using '\"{x}\"  \"C:\\p\\Scripts\\pip.exe\" install torch'",
    "symbol": "foo.obj : error LNK2001: unresolved external symbol {x}",
    "conflict": "{x} 1.0 requires torch==2.0.1, but you have torch 2.1.0 which is incompatible.",
    "memory": "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {x}",
}  # fmt: skip
SECRETS = (
    "hunter2", "kw04", "Xk9pQ2mZ7vLw", "correct-horse-battery-staple", "correct horse battery staple", "Winter-2025",
    "Summer2024!", "butterfly", "purple monkey", "p4ssw0rd", "kowalewska", "password: tulip", "blue_tulip", "admin123",
    "hf_QwErTyUiOpAsDfGh\nJkLzXcVbNmQwErTyUiOp",
)  # fmt: skip
fill_module = sys.modules["torchdoctor.explain.fill"]
# Numbers of releases, which others are computed from, and what becomes an expression.
COMPUTED = {"below_value", "cuda_version", "text_cuda", "toolkit", "torch_release"}
SECRET = "kowal77ewska"
# As a class of somebody's own may be called.
CLASSES = ("MyDataset", "HagridDataset", "collate_batch", "XrayLoader")


@pytest.mark.parametrize("form", FORMS)
def test_secret_is_in_no_answer(form: str, knowledge: Knowledge) -> None:
    for secret in SECRETS:
        explanation = dataclasses.replace(explain(FORMS[form].format(x=secret), knowledge), context="")
        shared = redact(explanation, Identity(), (Knowledge,), is_pasted=True)
        shown = " ".join(f"{explanation} {shared}".split())
        assert not any(part in shown for part in secret.split("\n")), secret


@pytest.mark.parametrize("form", ["class", "local object", "worker attribute"])
@pytest.mark.parametrize("name", CLASSES)
def test_name_of_a_class_is_in_its_answer_on_the_screen_alone(
    name: str, form: str, knowledge: Knowledge
) -> None:
    text = FORMS[form].format(x=name)
    assert name in str(explain(text, knowledge, on_screen=True).diagnoses[0])
    # An example in the entries is called MyDataset.
    assert name == "MyDataset" or name not in str(explain(text, knowledge).diagnoses)


# What a console or a chat has put on the line of a frame, behind the name of its function.
BEHIND_FUNCTIONS = (
    "{f} | kowal77ewska | x", '{f}    os.environ["K"] = "kowal77ewska"  # Zelkofari', "{f}    x = torch.load(Zelkofari kowal77ewska)",
    "{f}: kowal77ewska", "{f} kowal77ewska", "{f}, kowal77ewska", "{f}()  # kowal77ewska", "{f}\tkowal77ewska", "{f}; kowal77ewska = 1",
)  # fmt: skip
FUNCTIONS = (
    "<module>",
    "<lambda>",
    "<listcomp>",
    "main",
    "__init__",
    "Net.forward",
    "main.<locals>.load",
    "größe",
)


@pytest.mark.parametrize("behind", BEHIND_FUNCTIONS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_function_of_a_frame_is_its_name_alone(function: str, behind: str, knowledge: Knowledge) -> None:
    frame = f'  File "D:\\proj\\train.py", line 3, in {behind.format(f=function)}'
    text = (
        f"Traceback (most recent call last):\n{frame}\nAssertionError: Torch not compiled with CUDA enabled"
    )
    explanation = dataclasses.replace(explain(text, knowledge, on_screen=True), context="")
    assert explanation.values["function"] == function
    assert "kowal77" not in str(explanation) and "Zelkofari" not in str(explanation)


def test_no_entry_fills_in_a_private_value() -> None:
    knowledge = load_knowledge()[0]
    texts = (text for entry in knowledge.entries.values() for text in (entry.markdown, str(entry.cases)))
    names = {name for text in texts for name in re.findall(r"\{(\w+)\|", text)}
    names |= {"python", "project_folder", "script", "conda_name", "likely_python"}
    assert len(names) > 300
    for entry in knowledge.entries.values():
        ranked = Ranked(entry, Confidence.CERTAIN, 1.0, ())
        for values in (
            dict.fromkeys(names - COMPUTED, SECRET),
            {"package": SECRET},
            {"module": SECRET},
            {"path": SECRET},
        ):
            assert SECRET not in str(fill(ranked, (), values, frozenset())), entry.name


def test_steps_and_sentences_take_only_values_that_may_be_shown() -> None:
    source = ast.parse(inspect.getsource(fill_module))
    functions = {each.name: each for each in ast.walk(source) if isinstance(each, ast.FunctionDef)}
    raw = [
        ast.unparse(each)
        for each in ast.walk(functions["_fit_steps"])
        if isinstance(each, ast.Subscript) and ast.unparse(each.value) in ("values", "known")
    ]
    filled = [
        ast.unparse(each.args[2])
        for each in ast.walk(source)
        if isinstance(each, ast.Call) and ast.unparse(each.func) == "_fill"
    ]
    assert (raw, set(filled)) == ([], {"written"})


def test_answers_have_values_that_were_judged(knowledge: Knowledge) -> None:
    explanation = explain(FORMS["module"].format(x="torch"), knowledge)
    assert all(type(each.values) is ShownValues for each in (explanation, *explanation.diagnoses))
