"""Records of which only some fields are known."""

import json
from collections.abc import Iterator

import pytest

from torchdoctor.check import Check, Finding, Passed, check
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.runner import Outcome, run_check
from torchdoctor.facts import Absent, Distribution, Distributions, Facts, Interpreter, TorchInstall
from torchdoctor.facts.codec import decode_facts, encode_facts
from torchdoctor.facts.partial import Unobserved, find_value, list_values, make_partial, replace_values
from torchdoctor.redaction.redaction import Identity, redact

PYTHON = make_partial(Interpreter, {"version": "3.10.6", "executable": r"C:\Users\ann\python.exe"})
ENTRY = load_knowledge()[0].entries["python-32bit"]


def run(function: Check) -> Outcome:
    return run_check(function, Facts({Interpreter: PYTHON}), ENTRY)


def test_a_known_field_can_be_read() -> None:
    assert PYTHON.version == "3.10.6"
    assert isinstance(PYTHON, Interpreter)


def test_an_unknown_field_raises_the_reason() -> None:
    with pytest.raises(Unobserved, match="the bits of the interpreter"):
        _ = PYTHON.bits


def test_a_property_of_an_unknown_field_raises_as_well() -> None:
    with pytest.raises(Unobserved):
        _ = PYTHON.is_virtual_environment


def test_a_default_is_no_value() -> None:
    torch = make_partial(TorchInstall, {"version": "2.1.0"})
    with pytest.raises(Unobserved):
        _ = torch.cuda
    assert isinstance(find_value(torch, "cuda"), Absent)


def test_a_field_that_can_be_absent_is() -> None:
    assert isinstance(PYTHON.finds_torch, Absent)


def test_with_all_fields_it_is_the_record_itself() -> None:
    values = {"name": "torch", "version": "2.1.0", "folder": "/x"}
    assert make_partial(Distribution, values) == Distribution("torch", "2.1.0", "/x")


def test_equality_and_text() -> None:
    again = make_partial(Interpreter, {"version": "3.10.6", "executable": r"C:\Users\ann\python.exe"})
    assert again == PYTHON
    assert hash(PYTHON) == hash(again)
    assert make_partial(Interpreter, {"version": "3.11"}) != PYTHON
    assert "version='3.10.6'" in repr(PYTHON)
    with pytest.raises(AttributeError):
        _ = PYTHON.nonsense  # type: ignore[attr-defined]


def test_replacing_keeps_what_is_unknown() -> None:
    changed = replace_values(PYTHON, {"version": "3.12", "bits": 64})
    assert changed.version == "3.12"
    assert isinstance(find_value(changed, "bits"), Absent)


def test_redaction_keeps_what_is_unknown() -> None:
    shown = redact(PYTHON, Identity(home=r"C:\Users\ann", user="ann"))
    assert "ann" not in shown.executable
    assert isinstance(find_value(shown, "bits"), Absent)


def test_json_and_back() -> None:
    data = json.loads(json.dumps({"schema_version": 1, "facts": encode_facts(Facts({Interpreter: PYTHON}))}))
    assert data["facts"]["interpreter"]["bits"] == {"absent": "not stated: the bits of the interpreter"}
    (read,) = decode_facts(data).values.values()
    assert dict(list_values(read)) == dict(list_values(PYTHON))


@check
def reads_known(interpreter: Interpreter) -> Iterator[Finding]:
    yield Finding(f"Python {interpreter.version}")


@check
def reads_unknown(interpreter: Interpreter) -> Iterator[Finding | Passed]:
    yield Passed("seen")
    yield Finding(f"{interpreter.bits} bits")


@check
def reads_unknown_later(interpreter: Interpreter) -> Iterator[Finding]:
    yield Finding(f"Python {interpreter.version}")
    yield Finding(f"{interpreter.bits} bits")


def test_a_check_runs_on_what_is_known() -> None:
    assert run(reads_known).status == "failed"


def test_a_check_that_reads_an_unknown_field_is_skipped() -> None:
    outcome = run(reads_unknown)
    assert (outcome.status, outcome.reason) == ("skipped", "not stated: the bits of the interpreter")


def test_what_was_found_before_an_unknown_field_stays() -> None:
    assert [finding.message for finding in run(reads_unknown_later).findings] == ["Python 3.10.6"]


def test_an_incomplete_list_does_not_say_what_is_missing() -> None:
    numpy = Distribution("numpy", "1.26", "/x")
    partly = Distributions((numpy,), is_complete=False, complete_names=("torch",))
    assert partly.find("NumPy") == numpy
    assert partly.find("torch") is None
    with pytest.raises(Unobserved, match="triton"):
        partly.find("triton")
    assert Distributions((numpy,)).find("triton") is None
