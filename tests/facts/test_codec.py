"""Facts survive the conversion to JSON and back, and a bad file gives an error of one line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchdoctor.facts import SUBJECTS, Absent, Facts, Memory, OperatingSystem, PageFile
from torchdoctor.facts.codec import FactsError, decode_facts, encode_facts, read_facts

INTEGERS = st.integers(-(2**63) + 1, 2**63 - 1)
KNOWN_OR_ABSENT = st.one_of(INTEGERS, st.builds(Absent, st.text()))


@given(st.builds(Facts, st.fixed_dictionaries({
    Memory: st.builds(
        Memory, INTEGERS, INTEGERS, KNOWN_OR_ABSENT, KNOWN_OR_ABSENT, KNOWN_OR_ABSENT, KNOWN_OR_ABSENT,
        st.one_of(st.tuples(st.builds(PageFile, st.text(), st.none() | INTEGERS)), st.builds(Absent, st.text())),
        st.booleans(),
    ),
    OperatingSystem: st.builds(OperatingSystem, st.text(), st.text(), st.text()) | st.builds(Absent, st.text()),
})))  # fmt: skip
def test_facts_survive_json(facts: Facts) -> None:
    data = json.loads(json.dumps({"schema_version": 1, "facts": encode_facts(facts)}))
    assert decode_facts(data) == facts


def test_every_subject_has_its_own_key() -> None:
    assert len({fact.subject for fact in SUBJECTS}) == len(SUBJECTS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[]", "no object"),
        (b'{"schema_version": 2, "facts": {}}', "schema_version is 2"),
        (b'{"schema_version": 1, "facts": {"memory": 5}}', "memory: expected an object, got 5"),
        (
            b'{"schema_version": 1, "facts": {"memory": {"physical_bytes": "x"}}}',
            "memory.physical_bytes: expected int",
        ),
        (b'{"schema_version": 1, "facts": {"operating_system": {"version": "1"}}}', "system is missing"),
        (b"[" * 100000, "not JSON"),
    ],
    ids=["empty", "binary", "list", "future", "number", "wrong-type", "incomplete", "deep"],
)
def test_bad_file_gives_an_error_of_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "facts.json"
    file.write_bytes(content)
    with pytest.raises(FactsError, match=message) as error_info:
        read_facts(file)
    assert "\n" not in str(error_info.value)


def test_reads_a_file_written_by_powershell(tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    text = '{"schema_version": 1, "facts": {"memory": {"absent": "refused"}}}'
    file.write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
    assert read_facts(file).get(Memory) == Absent("refused")


def test_field_missing_from_an_older_file_is_absent() -> None:
    data = {"schema_version": 1, "facts": {"operating_system": {"system": "windows", "version": "10"}}}
    system = decode_facts(data).get(OperatingSystem)
    assert isinstance(system, OperatingSystem)
    assert isinstance(system.machine, Absent)
