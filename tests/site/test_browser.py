"""In a real browser: the page answers like the command line, asks no other host, and works without a network."""

import json
import time
from pathlib import Path

import pytest

from tests.site.conftest import PYTHON_SECONDS, Visit
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.knowledge import Entry

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
KNOWLEDGE = load_knowledge()[0]
# Every third of the texts that were captured, and some of an environment.
TEXTS = sorted((ROOT / "tests" / "samples" / "explain").rglob("*.txt"))
READERS = sorted((ROOT / "tests" / "samples" / "readers").rglob("*.txt"))
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    'OSError: [WinError 1455] <svg onload=alert(1)>\nFile "C:\\<b>x</b>\\train.py", line 1',
    "ModuleNotFoundError: No module named '<img src=//evil.example/x onerror=alert(1)>'\x00\x1b[31m\u202e",
    "[link](javascript:alert(1)) ![x](https://evil.example/x.png) </textarea></template><style>*{display:none}",
)


# The policy of the page allows no evaluation, by which a function could be waited for.
COUNT_KEPT = """async () => {
    const name = (await caches.keys()).find((each) => each.startsWith("torchdoctor-"));
    const keys = await (await caches.open(name)).keys();
    return keys.filter((each) => each.url.includes("/entries/")).length;
}"""


COUNT_MEMORIES = "async () => (await (await caches.open('python-of-torchdoctor')).keys()).length"
DAMAGE_MEMORY = """async () => {
    const cache = await caches.open("python-of-torchdoctor");
    for (const key of await cache.keys()) await cache.put(key, new Response(%s));
}"""
RESULTS = "[...document.querySelectorAll('.md-search-result__link')].map((each) => each.href).join(' ')"


def choose(files: list[Path], count: int) -> list[Path]:
    return files[:: max(1, len(files) // count)][:count]


def test_answers_are_those_of_the_command_line(visit: Visit) -> None:
    page = visit.open()
    files = [*choose(TEXTS, 24), *choose(READERS, 8)]
    assert len(files) >= 30
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        wanted = [each.name for each in explain(text, KNOWLEDGE).diagnoses]
        assert visit.ask(page, text) == wanted, file.name
    assert visit.said == []
    assert [
        url for url in visit.requests if not url.startswith((visit.address, f"blob:{visit.address[:16]}"))
    ] == []


def test_facts_are_examined(visit: Visit) -> None:
    [sample] = choose(sorted((ROOT / "tests/samples/paging_file_too_small").glob("bad-*.json")), 1)
    page = visit.open()
    assert "paging-file-too-small" in visit.ask(page, sample.read_text(encoding="utf-8"))
    broken = sample.read_text(encoding="utf-8").replace('"schema_version": 1', '"schema_version": 99')
    visit.ask(page, broken)
    assert "schema_version is 99" in page.inner_text("#paste-status")
    assert visit.said == []


def test_pasted_text_is_answered_and_copied(visit: Visit) -> None:
    page = visit.open()
    page.fill("#paste-text", "OSError: [WinError 1455] The paging file is too small\nC:\\Users\\zaphod\\x.py")
    page.keyboard.press("Control+Enter")
    page.click("#paste .main")
    page.locator("html[data-answered]").wait_for(timeout=PYTHON_SECONDS)
    page.locator("#paste-markdown").wait_for()
    page.click("#paste-markdown")
    page.locator("#paste-status", has_text="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "(paging-file-too-small)" in copied and "zaphod" not in copied
    page.click("#paste-link")
    page.wait_for_timeout(200)
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{visit.address}entries/paging-file-too-small/"
    page.click("#paste-answer .code button")
    page.wait_for_timeout(200)
    command = page.evaluate("navigator.clipboard.readText()")
    assert command.startswith("findstr ") and command in page.inner_text("#paste-answer")
    page.click("#paste [type=reset]")
    assert page.inner_text("#paste-answer") == ""
    assert visit.said == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text(visit: Visit, text: str) -> None:
    page = visit.open()
    visit.ask(page, text)
    counts = page.evaluate(
        "['script','img','style','svg','iframe'].map((tag) => "
        "document.querySelectorAll(`#paste-answer ${tag}`).length)"
    )
    assert counts == [0, 0, 0, 0, 0]
    assert visit.said == [] and not any("evil" in url for url in visit.requests)


def test_long_log_leaves_the_page_responsive(visit: Visit) -> None:
    line = "2026-01-01 12:00:00 INFO epoch 3 step 17 loss 0.1234 C:\\data\\img.png\n"
    text = line * (5_000_000 // len(line)) + "OSError: [WinError 1455] The paging file is too small\n"
    page = visit.open()
    page.locator("html[data-doctor=ready]").wait_for(timeout=PYTHON_SECONDS)
    page.evaluate(
        "() => { window.longest = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) "
        "window.longest = Math.max(window.longest, each.duration); }).observe({ type: 'longtask' }); }"
    )
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.focus("#paste-text")
    page.keyboard.press("Control+V")
    page.locator("#paste-attached", has_text="5.0 MB").wait_for()
    page.locator("html[data-answered]").wait_for(timeout=PYTHON_SECONDS)
    assert json.loads(page.get_attribute("#paste-answer", "data-names")) == ["paging-file-too-small"]
    print(f"longest task: {page.evaluate('window.longest'):.0f} ms")
    # The text is not in the field, which would have to lay it out.
    assert page.input_value("#paste-text") == ""
    assert visit.said == []


def test_first_entries_are_found_before_python_is_there(visit: Visit) -> None:
    visit.context.route("**/python/*", lambda route: None)
    page = visit.open()
    page.fill("#paste-text", "OSError: [WinError 1455] something")
    page.click("#paste .main")
    page.locator("#paste-early a", has_text="1455").wait_for()
    page.click("#paste-early a")
    assert page.url == f"{visit.address}entries/paging-file-too-small/"


def test_browser_without_python_says_so(visit: Visit) -> None:
    visit.context.route("**/python/pyodide.asm.wasm", lambda route: route.abort())
    page = visit.open()
    page.locator("#paste-status", has_text="could not be loaded").wait_for(timeout=PYTHON_SECONDS)


def test_first_facts_are_examined_without_a_failure_of_the_doctor(visit: Visit) -> None:
    page = visit.open()
    visit.ask(page, (ROOT / "tests/samples/machines/01-desktop-rtx-4090-all-well.json").read_text("utf-8"))
    assert "own failures" not in page.inner_text("#paste-answer")


def test_program_that_is_blocked_is_reported(visit: Visit) -> None:
    visit.context.route("**/pyodide.asm.wasm", lambda route: route.abort())
    page = visit.open()
    page.get_by_text("could not be loaded").wait_for(timeout=PYTHON_SECONDS)
    assert page.get_by_role("button", name="Try again").is_visible()


def test_text_is_there_again_after_loading(visit: Visit) -> None:
    page = visit.open()
    page.fill("#paste-text", "OSError: [WinError 1455] The paging file is too small")
    page.click("#paste .main")
    page.reload()
    assert page.input_value("#paste-text").startswith("OSError: [WinError 1455]")
    page.click("#paste [type=reset]")
    page.reload()
    assert page.input_value("#paste-text") == ""


def test_text_that_is_not_recognised_has_no_link(visit: Visit) -> None:
    page = visit.open()
    visit.ask(page, "npm ERR! code ERESOLVE\nnpm ERR! unable to resolve dependency tree")
    assert page.locator("#paste-link").count() == 0


def test_works_without_a_network(visit: Visit, site: Path) -> None:
    page = visit.open()
    page.locator("html[data-offline]").wait_for(timeout=PYTHON_SECONDS)
    names = len(list(site.glob("entries/*/index.html")))
    deadline = time.monotonic() + 60
    while page.evaluate(COUNT_KEPT) <= names and time.monotonic() < deadline:
        time.sleep(0.5)
    visit.context.set_offline(True)
    page = visit.open()
    assert visit.ask(page, "OSError: [WinError 1455] The paging file is too small") == [
        "paging-file-too-small"
    ]
    page = visit.open("entries/dll-missing-dependency/")
    assert "WinError 126" in page.inner_text("main")


def wait_for_memory(page) -> None:
    deadline = time.monotonic() + 60
    while not page.evaluate(COUNT_MEMORIES) and time.monotonic() < deadline:
        time.sleep(0.5)


def test_later_visit_starts_from_what_was_kept(visit: Visit) -> None:
    page = visit.open()
    visit.ask(page, "WinError 1455")
    wait_for_memory(page)
    visit.requests.clear()
    page = visit.open()
    for file in [*choose(TEXTS, 8), *choose(READERS, 4)]:
        text = file.read_text(encoding="utf-8", errors="replace")
        assert visit.ask(page, text) == [each.name for each in explain(text, KNOWLEDGE).diagnoses], file.name
    page.click("#paste-markdown")
    page.locator("#paste-status", has_text="Copied").wait_for()
    [sample] = choose(sorted((ROOT / "tests/samples/paging_file_too_small").glob("bad-*.json")), 1)
    assert "paging-file-too-small" in visit.ask(page, sample.read_text(encoding="utf-8"))
    assert visit.said == []


@pytest.mark.parametrize("damage", ["''", "'x'.repeat(1000)", "new Uint8Array(40_000_000)"])
def test_damaged_memory_is_made_again(visit: Visit, damage: str) -> None:
    page = visit.open()
    visit.ask(page, "WinError 1455")
    wait_for_memory(page)
    page.evaluate(DAMAGE_MEMORY % damage)
    page = visit.open()
    wanted = ["paging-file-too-small"]
    assert visit.ask(page, "OSError: [WinError 1455] The paging file is too small") == wanted


def test_search_finds_each_entry_by_number_and_text(visit: Visit) -> None:
    page = visit.open("about/")
    page.locator("[data-md-component=search-query]").click()
    queries = [(entry, query) for entry in KNOWLEDGE.entries.values() for query in list_queries(entry)]
    assert len(queries) > 200
    missed = [
        (entry.name, query) for entry, query in queries if not finds(page, query, f"/entries/{entry.name}/")
    ]
    assert missed == [] and visit.said == []


def test_each_digit_is_searched_without_an_error(visit: Visit) -> None:
    page = visit.open("about/")
    page.locator("[data-md-component=search-query]").click()
    assert [digit for digit in "0123456789" if not finds(page, f"torch {digit}", f"h={digit}")] == []
    assert visit.said == []


def finds(page, query: str, part: str) -> bool:
    """Return whether a search has a result with a part in its address within 10 s."""
    field = page.locator("[data-md-component=search-query]")
    field.fill(query)
    field.dispatch_event("keyup")
    deadline = time.monotonic() + 10
    while part not in page.evaluate(RESULTS):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def list_queries(entry: Entry) -> list[str]:
    """Return the numbers of an entry, as they are printed, and its texts in other languages."""
    labels = {"winerror": "WinError", "cuda": "CUDA error", "os": "os error", "errno": "Errno"}
    numbers = [
        f"0x{number:08X}" if kind == "exit" else f"{labels[kind]} {number}"
        for kind, numbers in entry.codes.items()
        for number in numbers
    ]
    return [*numbers, *(symptom.text for symptom in entry.symptoms if not symptom.text.isascii())]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_pages_are_accessible(chromium: object, served: str, packages: Path, width: int, scheme: str) -> None:
    visit = Visit(
        chromium, served, viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True,
        reduced_motion="reduce",
    )  # fmt: skip
    axe = (packages / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    for path in (
        "",
        "entries/",
        "entries/dll-missing-dependency/",
        "checks/",
        "guides/code/",
        "contributing/architecture/",
    ):
        page = visit.open(path)
        if not path:
            visit.ask(
                page,
                "PyTorch version: 2.6.0+cu124\nDriver Version: 531.79\nOSError: [WinError 1455] x\nEOFError",
            )
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        page.evaluate(axe)
        found = page.evaluate("async () => (await axe.run()).violations")
        said = [f"{each['id']}: {each['nodes'][0]['html'][:150]} ({len(each['nodes'])})" for each in found]
        assert said == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
        page.close()
    visit.context.close()
