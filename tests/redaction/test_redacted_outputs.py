"""Nothing is left in facts, reports and explanations that are shared."""

import json
from pathlib import Path

import jsonschema
import pytest

from tests.redaction.redacted_forms import ALL_FORMS, FORMS, IDENTITY, TEXTS, WORDS, find_marks
from torchdoctor.commands.dlls import DllAnalysis
from torchdoctor.commands.schema import read_schema
from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain
from torchdoctor.explain.answer import Explanation
from torchdoctor.facts import Facts, OperatingSystem
from torchdoctor.facts.codec import decode_facts
from torchdoctor.facts.partial import make_partial
from torchdoctor.knowledge import Knowledge
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.loader.sharing import share_plan
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.renderers import explanation, github, sarif
from torchdoctor.renderers import json as json_renderer
from torchdoctor.report import Report

SAMPLES = Path(__file__).parents[1] / "samples"


def _validate(text: str, name: str) -> None:
    jsonschema.validate(json.loads(text), json.loads(read_schema(name).text))


@pytest.mark.parametrize("word", WORDS)
def test_sample_is_the_same_for_a_machine_named_like_a_word(word: str, scan_sample) -> None:
    report = scan_sample(next(SAMPLES.glob("machines/16-*.json")))
    shared = [redact(report, identity, (Knowledge,)) for identity in (Identity(), Identity("", word, word))]
    assert json_renderer.render(shared[0]) == json_renderer.render(shared[1])


@pytest.mark.parametrize("text", [*TEXTS, ALL_FORMS], ids=[*FORMS, "all"])
def test_nothing_is_left_in_any_fact(text: str, plant) -> None:
    output = json_renderer.render_facts(
        redact(plant(Facts, text), IDENTITY), "1", "2026-01-01T00:00:00+00:00"
    )
    assert find_marks(output) == []


def test_redacted_facts_can_be_read(plant) -> None:
    facts = redact(plant(Facts, ALL_FORMS), IDENTITY)
    output = json_renderer.render_facts(facts, "1", "2026-01-01T00:00:00+00:00")
    _validate(output, "facts")
    assert decode_facts(json.loads(output)) == facts


def test_nothing_is_left_in_the_reason_why_a_field_is_unknown() -> None:
    partial = make_partial(OperatingSystem, {}, {"version": ALL_FORMS})
    facts = redact(Facts({OperatingSystem: partial}), IDENTITY)
    assert find_marks(json_renderer.render_facts(facts, "1", "2026-01-01T00:00:00+00:00")) == []


@pytest.mark.parametrize("text", [*TEXTS, ALL_FORMS], ids=[*FORMS, "all"])
def test_nothing_is_left_in_a_report(text: str, plant) -> None:
    report = redact(plant(Report, text), IDENTITY, (Knowledge,))
    outputs = {each.__name__: each.render_all((report, report)) for each in (json_renderer, sarif, github)}
    assert [(name, marks) for name, output in outputs.items() if (marks := find_marks(output))] == []


def test_redacted_outputs_satisfy_their_schemas(plant) -> None:
    report = redact(plant(Report, ALL_FORMS), IDENTITY, (Knowledge,))
    _validate(json_renderer.render(report), "report")
    _validate(_render_explanation(plant, ALL_FORMS), "explanation")
    _validate(_render_plan(plant, ALL_FORMS), "loader")


def _render_explanation(plant, text: str) -> str:
    return explanation.render_json(redact(plant(Explanation, text), IDENTITY))


def _render_plan(plant, text: str) -> str:
    plan = share_plan(plant(LoaderPlan, text), lambda each: redact(each, IDENTITY))
    return json_renderer.render_plan(plan, "1")


def _render_dlls(plant, text: str) -> str:
    analysis = redact(plant(DllAnalysis, text), IDENTITY, (Knowledge,))
    return json_renderer.render_dlls(analysis.closure, analysis.outcomes, analysis.knowledge, "1")


@pytest.mark.parametrize("render", [_render_explanation, _render_plan, _render_dlls])
@pytest.mark.parametrize("text", [*TEXTS, ALL_FORMS], ids=[*FORMS, "all"])
def test_nothing_is_left_in_other_outputs(render, text: str, plant) -> None:
    assert find_marks(render(plant, text)) == []


def _explain_loading(path: str) -> str:
    text = (
        f'OSError: [WinError 126] The specified module could not be found. Error loading "{path}" or one of'
    )
    explained = explain(f"{text} its dependencies.", load_heads())
    # What was a credential or an address is no path any more.
    assert "://" in path or "path" in explained.values or "<secret>" in str(explained.diagnoses)
    return explanation.render_json(redact(explained, IDENTITY))


@pytest.mark.parametrize("text", [text for text in TEXTS if not set(text) & set('"\n{')])
def test_nothing_is_left_in_what_is_read_from_a_text(text: str) -> None:
    assert find_marks(_explain_loading(text)) == []


# Names that are words of this program, or no words at all.
@pytest.mark.parametrize("server", ["nas", "nas01", "DC", "server", "my-nas", "10.1.2.3"])
@pytest.mark.parametrize("times", [1, 2, 4])
def test_server_is_hidden_in_what_is_read_from_a_text(server: str, times: int) -> None:
    path = rf"\\{server}\proj\torch\lib\shm.dll".replace("\\", "\\" * times)
    values = json.loads(_explain_loading(path))["values"]
    assert values["path"] == r"\\<host>\proj\torch\lib\shm.dll"
