"""The outputs that are made to be shared have no user name, host name, home folder or secret, from end to end."""

import dataclasses
import json
import os
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.actions.formats import REPORT_FORMATS
from torchdoctor.actions.showing import load_renderer
from torchdoctor.commands.schema import read_schema
from torchdoctor.facts import SUBJECTS, Facts, occurs_many_times
from torchdoctor.facts.partial import list_values, replace_values
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.redaction import Identity, redact

ROOT = Path(__file__).parent
SAMPLE = next(ROOT.glob("samples/machines/16-*.json"))
# The user of the process, and what is in the facts and texts of other machines.
ENVIRONMENT = {"LOGNAME": "zbeebl", "USERNAME": "zbeebl", "USERDOMAIN": "MAGRATHEA"}
HOME = r"C:\Users\Trillian Mc Marvin"
PLANTED = (
    rf"{HOME}\env\x.py, C:/Users/Trillian%20Marvin/x, \\vogsphere\share$\marvin\x, D:\work\zbeebl,"
    r" MAGRATHEA\zbeebl, https://__token__:hunter2@index.example/simple, HF_TOKEN=hf_abcd1234abcd,"
    " trillian@vogsphere.example, Authorization: Bearer abcd1234.x, /mnt/c/Users/marvin/x, ~marvin/x"
)
MARKS = ("trillian", "marvin", "vogsphere", "zbeebl", "magrathea", "hunter2", "abcd1234")
ERROR = (
    'OSError: [WinError 126] The specified module could not be found. Error loading "{}\\torch\\lib\\c10.dll"'
    " or one of its dependencies."
)


def _plant(value: object) -> object:
    """Put another home folder into each path, and what was planted after each longer text."""
    if isinstance(value, dict):
        return {key: _plant(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plant(item) for item in value]
    return value.replace(r"C:\Users\me", HOME) if isinstance(value, str) else value


@pytest.fixture
def facts_file(tmp_path: Path) -> Path:
    data = _plant(json.loads(SAMPLE.read_text(encoding="utf-8")))
    data["facts"]["environment_variables"]["values"] = [["PYTHONPATH", PLANTED], ["PYTHON_TOKEN", "hunter2"]]
    data["facts"]["torch_import_trial"] |= {
        "outcome": "raised",
        "exception_type": "OSError",
        "exception_message": f"{ERROR.format(HOME)} {PLANTED}",
        "traceback": f"{ERROR.format(HOME)}\n{PLANTED}",
        "stderr_tail": PLANTED,
    }
    file = tmp_path / "trillian.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def _find_marks(text: str) -> list[str]:
    return [mark for mark in MARKS if mark in text.lower()]


def _validate(text: str, name: str) -> None:
    jsonschema.validate(json.loads(text), json.loads(read_schema(name).text))


@pytest.mark.parametrize("form", REPORT_FORMATS[1:])
def test_scan_of_facts(form: str, facts_file: Path, torchdoctor) -> None:
    # The name of the file is an argument of the user's, and stays.
    facts_file = facts_file.rename(facts_file.with_name("facts.json"))
    result = torchdoctor("scan", "--facts", facts_file.name, "--format", form, env=ENVIRONMENT)
    assert (result.returncode, "torch" in result.stdout, _find_marks(result.stdout)) == (1, True, [])


def test_scan_with_no_redact_keeps_it_all(facts_file: Path, torchdoctor) -> None:
    command = ("scan", "--facts", facts_file.name, "--format", "json", "--no-redact")
    assert _find_marks(torchdoctor(*command, env=ENVIRONMENT).stdout) == list(MARKS)


def test_text_keeps_paths_also_in_a_file(facts_file: Path, torchdoctor) -> None:
    torchdoctor("scan", "--facts", facts_file.name, "--output", "report.txt", env=ENVIRONMENT)
    assert HOME in " ".join(facts_file.with_name("report.txt").read_text(encoding="utf-8").split())


# Credentials are taken out of a text before it is explained, and of the words beside an error those that are no
# words of messages; of a path, which is shown, the names only where it is shared.
IN_A_PATH = ["zbeebl"]


@pytest.mark.parametrize(("options", "marks"), [((), []), (("--no-redact",), IN_A_PATH)])
def test_explanation(options: tuple[str, ...], marks: list[str], torchdoctor) -> None:
    text = f"{ERROR.format(HOME + ' ' + PLANTED)}\n"
    result = torchdoctor("explain", "--format", "json", *options, stdin=text, env=ENVIRONMENT)
    _validate(result.stdout, "explanation")
    assert (result.returncode, _find_marks(result.stdout)) == (0, marks)


@pytest.mark.parametrize("form", [form for form in REPORT_FORMATS if form != "text"])
def test_code_is_shared_without_half_of_a_secret(form: str, torchdoctor, tmp_path: Path) -> None:
    code = (
        "import torch\nfrom torch.utils.data import Dataset\nclass D(Dataset):\n    def __init__(self):\n"
        '        self.x = fetch("weights/resnet50-imagenet-v2.safetensors", token="hf_QwErTyUiOpAsDfGhJkLzXcVbNm").cuda()\n'
        '        self.y = torch.load("ftp://u:hunter2Pw@files.example/weights/resnet50-imagenet.pt").cuda()\n'
        "    def __getitem__(self, i): return i\n    def __len__(self): return 1\n"
    )
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    shown = torchdoctor("scan", "a.py", "--select", "cuda-in-dataset", "--format", form).stdout
    assert "cuda" in shown
    assert not any(part in shown for part in ("XcVbNm", "hf_Qw", "hunter2"))


@pytest.mark.skipif(os.name == "nt", reason="names of folders cannot be changed by HOME alone")
@pytest.mark.parametrize(("options", "expected"), [((), "~"), (("--no-redact",), "{}")])
def test_dlls(options: tuple[str, ...], expected: str, torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "zbeebl").mkdir()
    (tmp_path / "zbeebl" / "c10.dll").write_bytes(b"no image")
    env = {**ENVIRONMENT, "HOME": str(tmp_path)}
    result = torchdoctor("dlls", tmp_path / "zbeebl", "--format", "json", *options, env=env)
    _validate(result.stdout, "dlls")
    folder = f"{expected.format(tmp_path)}/{'zbeebl' if options else '<user>'}"
    assert json.loads(result.stdout)["damaged"][0]["path"] == f"{folder}/c10.dll"


# One of each kind; tests/redaction/test_secrets.py has their product.
SETTINGS = (
    """train.py --hf-token "{}" --lr 1""", """Command '['python', 'x.py', '--token', '{}']' returned non-zero""",
    """"private_key": "-----BEGIN PRIVATE KEY-----\\nMII{}\\n-----END PRIVATE KEY-----\\n\"""", """password: str = "{}\"""",
    """requests.get(u, auth=('bob', '{}'))""", """os.environ.setdefault("HF_TOKEN", "{}")""", """"PGPASSWORD": "{}\"""",
    """{{"name": "DB_PASSWORD", "value": "{}"}}""", """password: a,b{}""", """api_key=SecretStr('{}')""",
)  # fmt: skip


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_no_secret_is_left_in_an_explanation(form: str, torchdoctor) -> None:
    error = "OSError: [WinError 1455] The paging file is too small for this operation to complete. "
    text = "\n".join(error + setting.format("Tr0ub4dor&3hunter2") for setting in SETTINGS)
    result = torchdoctor("explain", "--format", form, stdin=text)
    assert result.returncode == 0 and "1455" in result.stdout and "unter2" not in result.stdout


def test_no_secret_is_left_in_facts(facts_file: Path, torchdoctor) -> None:
    data = json.loads(facts_file.read_text(encoding="utf-8"))
    values = [[f"TORCH_{n}", setting.format("Tr0ub4dor&3hunter2")] for n, setting in enumerate(SETTINGS)]
    values += [["TORCH_DB_PASS", "hunter2"], ["TORCH_USERPASSWORD", "hunter2"], ["PYTHON_KEY", "hunter2"]]
    data["facts"]["environment_variables"]["values"] = values
    facts_file.write_text(json.dumps(data), encoding="utf-8")
    shown = torchdoctor("scan", "--facts", facts_file.name, "--format", "json").stdout
    assert "TORCH_DB_PASS" in shown and "unter2" not in shown


def test_what_a_line_that_is_not_shown_gives_away_is_hidden(torchdoctor) -> None:
    text = (
        "set HF_TOKEN=a9F3kLm20QzXw81TbV6n\nC:\\Users\\mkowalski\\x\n"
        "OSError: [WinError 1455] The paging file is too small: mkowalski, a9F3kLm20QzXw81TbV6n"
    )
    shared = torchdoctor("explain", "--format", "json", stdin=text).stdout
    (evidence,) = json.loads(shared)["diagnoses"][0]["evidence"]
    assert evidence["text"].startswith("OSError: [WinError 1455] The paging file is too")
    assert evidence["text"].endswith("..., <secret>") and "mkowalski" not in shared


def test_redacted_facts_give_the_same_statuses(facts_file: Path, torchdoctor) -> None:
    report = torchdoctor("scan", "--facts", facts_file.name, "--format", "json", env=ENVIRONMENT).stdout
    facts_file.with_name("shared.json").write_text(report, encoding="utf-8")
    again = torchdoctor("scan", "--facts", "shared.json", "--format", "json", env=ENVIRONMENT).stdout
    outcomes = [
        [(item["name"], item["status"]) for item in json.loads(text)["outcomes"]] for text in (report, again)
    ]
    assert outcomes[0] == outcomes[1]


# Of each check, a sample of each kind, such as bad and good.
SAMPLES = list(
    {
        (file.parent.name, file.name.partition("-")[0]): file
        for file in sorted((ROOT / "samples").glob("*/*.json"))
    }.values()
)
# The fields that name things of the doctor's own, and what a machine cannot fill.
OWN_FIELDS = {"name", "status", "role", "step", "version", "knowledge", "taken_at", "severity", "fail_on"}


def _plant_everywhere(value: object, form: str) -> object:
    """Put what was planted into every text of a report, but not into the names of checks and settings."""
    if isinstance(value, str):
        return form.format(planted=PLANTED, text=value)
    if isinstance(value, tuple):
        return tuple(_plant_everywhere(item, form) for item in value)
    if isinstance(value, dict):
        return {key: _plant_everywhere(item, form) for key, item in value.items()}
    if isinstance(value, Facts):
        facts = (fact for fact in SUBJECTS if not occurs_many_times(fact))
        return Facts({fact: _plant_everywhere(value.get(fact), form) for fact in facts})
    if not dataclasses.is_dataclass(value) or isinstance(value, (type, Knowledge)):
        return value
    changes = {
        name: _plant_everywhere(item, form) for name, item in list_values(value) if name not in OWN_FIELDS
    }
    return replace_values(value, changes)


@pytest.mark.parametrize("planting", ["{text} {planted}", "{planted} {text}"], ids=["after", "before"])
@pytest.mark.parametrize("part", range(8))
def test_no_format_has_what_every_field_has(part: int, planting: str, scan_sample) -> None:
    identity = Identity(r"C:\Users\zbeebl", "zbeebl", "deepthought", "MAGRATHEA")
    for file in SAMPLES[part::8]:
        report = _plant_everywhere(scan_sample(file), planting)
        assert "zbeebl" in json.dumps(dataclasses.asdict(report.outcomes[0]), default=str)
        shared = redact(report, identity, (Knowledge,))
        for form in REPORT_FORMATS[1:]:
            text = load_renderer(form).render(shared)
            assert _find_marks(text) == [], (file.name, form)


def test_name_in_the_path_of_a_file_is_hidden_in_its_answer(torchdoctor, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "kowalewska"
    folder.mkdir(parents=True)
    file = folder / "a.txt"
    file.write_text(f"{ERROR.format('kowalewska')} in C:\\Users\\kowalewska\\x\n", encoding="utf-8")
    shared = torchdoctor("explain", "--format", "jsonl", "--file", str(file), "--file", str(file)).stdout
    assert [json.loads(line)["recognised"] for line in shared.splitlines()] == [True, True]
    assert "kowalewska" not in shared


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", "--format", "jsonl", "--file", "{file}", "--file", "{file}"),
        ("explain", "--format", "json", "--file", "{file}", "--file", "{file}"),
        *(("scan", "--format", form, "--from", "{file}") for form in ("json", "html", "junit", "markdown")),
    ],
)
def test_name_of_a_text_is_in_no_shared_output(
    arguments: tuple[str, ...], torchdoctor, tmp_path: Path
) -> None:
    folder = tmp_path / "zelkofari"
    folder.mkdir()
    file = folder / "hunter2.txt"
    file.write_text("Python 3.11.4\ntorch==2.1.0+cpu\nAssertionError: Torch not compiled with CUDA enabled\n")
    shared = torchdoctor(*(each.format(file=file) for each in arguments)).stdout
    assert len(shared) > 100
    assert "zelkofari" not in shared
    # Of many texts, each is told by the name of its file.
    assert ("hunter2" in shared) is (arguments[0] == "explain")


@pytest.mark.parametrize(
    ("arguments", "is_shown"),
    [
        ((), True), (("--format", "json", "--no-redact"), True),
        (("--format", "json"), False), (("--format", "markdown"), False),
    ],
    ids=str,
)  # fmt: skip
def test_class_that_a_step_is_about_is_named_only_for_the_user(
    arguments: tuple[str, ...], is_shown: bool, torchdoctor
) -> None:
    text = "AttributeError: Can't get attribute 'ZelkofariSet' on <module '__main__' (built-in)>"
    assert ("ZelkofariSet" in torchdoctor("explain", text, *arguments).stdout) is is_shown
