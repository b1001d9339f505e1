"""The site has a page for each problem, with what people search for, and asks no other host for anything."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

from torchdoctor.engine.registry import load_registry

ENTRIES = load_registry().knowledge.entries
_LOADED = re.compile(r'<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)="([^"]*)"[^>]*>')


def read(site: Path, name: str) -> str:
    return (site / name / "index.html").read_text(encoding="utf-8")


def test_each_entry_has_its_page_with_numbers_and_texts(site: Path) -> None:
    for entry in ENTRIES.values():
        page = read(site, f"entries/{entry.name}")
        assert 'name="description" content="' in page
        for kind, numbers in entry.codes.items():
            for number in numbers:
                form = f"0x{number:08X}" if kind == "exit" else str(number)
                assert re.search(rf"<h2[^>]*>[^<]*{form}", page), (entry.name, form)
                assert re.search(rf'name="keywords" content="[^"]*{form}', page), (entry.name, form)
        text = re.sub(r"\s+", " ", unescape(page))
        for symptom in entry.symptoms:
            assert symptom.text.isascii() or symptom.text in text, (entry.name, symptom.text)
        assert not re.search(r"\{\w+\|", page), entry.name


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for address in _LOADED.findall(text):
            assert not urlsplit(address).netloc or 'rel="canonical"' in text, (page, address)


def test_each_page_has_a_policy(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        [policy] = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
        assert "default-src 'none'" in policy and "connect-src 'self'" in policy
        assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
        scripts = policy.split("script-src", 1)[1].split(";")[0]
        assert "unsafe-inline" not in scripts and "http" not in scripts


def test_same_sources_give_the_same_files(site: Path, build, tmp_path: Path) -> None:
    build(tmp_path / "again")
    first = {file.relative_to(site): file.read_bytes() for file in site.rglob("*") if file.is_file()}
    again = {
        file.relative_to(tmp_path / "again"): file.read_bytes()
        for file in (tmp_path / "again").rglob("*")
        if file.is_file()
    }
    assert first.keys() == again.keys()
    assert [name for name in first if first[name] != again[name]] == []


def test_lock_names_no_registry() -> None:
    lock = (Path(__file__).parents[2] / "docs" / "site" / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock and "integrity" in lock
