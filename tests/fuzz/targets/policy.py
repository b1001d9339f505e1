"""What a project asks for: configurations and baselines."""

import json
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from mutations import damaged_json, damaged_texts

from targets.table import IDENTITY, KNOWLEDGE, SHARED_MEMORY, require_line, target
from torchdoctor.check import Finding, Location, Severity
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Facts
from torchdoctor.loader.plan import make_plan
from torchdoctor.policy.baseline import read_baseline
from torchdoctor.policy.configuration import find_configuration
from torchdoctor.policy.path_ignores import is_path_ignored
from torchdoctor.policy.requirements import ENTRY_NAME, find_unmet

CONFIGURATIONS = (
    """[tool.torchdoctor]
ignore = ["tdr-timeout"]
select = ["source", "gpu"]
fail-on = "warning"
trials = false
jobs = 2
cache = true
python = ".venv/bin/python"
baseline = "known.json"

[tool.torchdoctor.per-path-ignores]
"examples/**" = ["missing-main-guard"]
"a[!b]*?.py" = ["source"]

[tool.torchdoctor.require]
torch = ">=2.9,<2.14"
python = "!=3.11.0"
packages = { numpy = ">=2", xformers = "==0.0.*" }
cuda = ">=12.6"
driver = ">=580"
workers = 4
commit-headroom = "8.5 GiB"
""",
)
BASELINES = (
    {
        "schema_version": 1,
        "torchdoctor": "0.1.0",
        "findings": [
            {"check": "missing-main-guard", "path": "src/a.py", "message": "# workers", "count": 2},
            {"check": "driver-too-old", "path": None, "message": "driver #", "count": 1},
        ],
    },
)
OUTCOME = Outcome(
    "missing-main-guard",
    "failed",
    Severity.ERROR,
    (Finding("4 workers", Location("src/a.py", 1)), Finding("4 workers", Location("src/b.py", 1))),
)


@target(damaged_texts(CONFIGURATIONS))
def project_configuration(text: str) -> None:
    """A configuration is refused in one line, or can be applied."""
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        file = Path(folder, "torchdoctor.toml")
        file.write_bytes(text.encode("utf-8", errors="replace"))
        try:
            configuration = find_configuration([], file)
        except UsageError as error:
            require_line(str(error))
            return
    is_path_ignored(configuration.per_path_ignores, str(Path(folder, "examples", "a.py")), ("source",))
    if configuration.require:
        outcome = find_unmet(configuration.require, Facts(), make_plan(Facts()))
        for finding in outcome.findings:
            assert ENTRY_NAME in KNOWLEDGE.entries and finding.message.strip()


@target(st.deferred(lambda: damaged_json(BASELINES)))
def baseline(document: object) -> None:
    """A baseline is refused in one line, or leaves out what it knows, and is written again without a loss."""
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        file = Path(folder, "known.json")
        file.write_bytes(json.dumps(document).encode("utf-8", errors="replace"))
        try:
            known = read_baseline(file, IDENTITY)
        except UsageError as error:
            require_line(str(error))
            return
    left = known.leave_out_known(OUTCOME)
    assert len(left.findings) + left.known == len(OUTCOME.findings)
    json.loads(known.write([OUTCOME], [Path("src")], "1.0"))
    known.list_gone([OUTCOME], [Path("src")])
