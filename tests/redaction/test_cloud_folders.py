"""The folders of cloud clients name no company, no team and no person in what is shared."""

import itertools
import json
from pathlib import Path

import pytest

from torchdoctor.actions.formats import REPORT_FORMATS
from torchdoctor.actions.showing import load_renderer
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.report import Report

COMPANIES = (
    "Globexo",
    "Globexo GmbH",
    "Globexo, Inc.",
    "O'Globexo & Sons",
    "globexo-labs",
    "Globexo Müller S.A.",
    "Globexo株式会社",
)
PERSONS = (
    "Rosalind Quux",
    "rosalind",
    "Quux, Rosalind",
    "Rosalind van der Quux",
    "R. O'Rosalind",
    "Розалинд Quux",
)
TEAMS = ("Rosalind Team", "Globexo Quux", "Quux-Lab")
MARKS = ("globexo", "rosalind", "quux", "розалинд", "müller", "株式会社", "& sons", "inc.")
# The default folders of clients, and what is shared of them.
CLIENTS = {
    "dropbox-business": (r"C:\Users\quux\{company} Dropbox\{person}\train", r"C:\Users\<user>\<company> Dropbox\<user>\train"),
    "dropbox-on-a-drive": (r"D:\{company} Dropbox\{person}\train", r"D:\<company> Dropbox\<user>\train"),
    "dropbox-of-a-person": (r"C:\Users\quux\{person} Dropbox\{person}\x", r"C:\Users\<user>\<company> Dropbox\<user>\x"),
    "dropbox-in-brackets": (r"C:\Users\quux\Dropbox ({company})\{person}\x", r"C:\Users\<user>\Dropbox (<company>)\<user>\x"),
    "dropbox-on-macos": ("/Users/quux/{company} Dropbox/{person}/train", "/Users/<user>/<company> Dropbox/<user>/train"),
    "dropbox-in-the-cloud-storage": (
        "/Users/quux/Library/CloudStorage/Dropbox-{company}/x",
        "/Users/<user>/Library/CloudStorage/Dropbox-<company>/x",
    ),
    "sharepoint": (r"C:\Users\quux\{company}\{team} - Documents\train", r"C:\Users\<user>\...\...\train"),
    "sharepoint-in-german": (r"C:\Users\quux\{company}\{team} - Dokumente\x", r"C:\Users\<user>\...\...\x"),
    "library-with-a-name": (r"C:\Users\quux\{company}\{team} - {person}\x", r"C:\Users\<user>\...\...\x"),
    "sharepoint-on-macos": ("/Users/quux/{company}/{team} - Documents/x", "/Users/<user>/.../.../x"),
    "onedrive": (r"C:\Users\quux\OneDrive - {company}\train", r"C:\Users\<user>\OneDrive - <company>\train"),
    "onedrive-on-a-drive": (r"E:\OneDrive - {company}\x", r"E:\OneDrive - <company>\x"),
    "onedrive-at-the-end": (r"C:\Users\quux\OneDrive - {company}", r"C:\Users\<user>\OneDrive - <company>"),
    "onedrive-with-a-library": (
        r"C:\Users\quux\OneDrive - {company}\{team} - Documents\x",
        r"C:\Users\<user>\OneDrive - <company>\...\x",
    ),
    "onedrive-with-a-dash": (r"C:\Users\quux\OneDrive-{company}\x", r"C:\Users\<user>\OneDrive-<company>\x"),
    "onedrive-on-macos": ("/Users/quux/Library/CloudStorage/OneDrive-{company}/x", "/Users/<user>/Library/CloudStorage/OneDrive-<company>/x"),
    "libraries-on-macos": (
        "/Users/quux/Library/CloudStorage/OneDrive-SharedLibraries-{company}/{team} - Documents/x",
        "/Users/<user>/Library/CloudStorage/OneDrive-SharedLibraries-<company>/.../x",
    ),
    "creative-cloud": (r"C:\Users\quux\Creative Cloud Files {company}\x", r"C:\Users\<user>\Creative Cloud Files <company>\x"),
    "google-drive": (r"G:\Shared drives\{team}\x", r"G:\Shared drives\...\x"),
    "google-drive-in-german": (r"G:\Geteilte Ablagen\{team}\x", r"G:\...\...\x"),
    "google-drive-in-brackets": (r"C:\Users\quux\Google Drive ({company})\x", r"C:\Users\<user>\Google Drive (<company>)\x"),
    "box": (r"C:\Users\quux\Box - {company}\x", r"C:\Users\<user>\Box - <company>\x"),
    "box-on-macos": ("/Users/quux/Library/CloudStorage/Box-{company}/x", "/Users/<user>/Library/CloudStorage/Box-<company>/x"),
    "icloud": (r"C:\Users\quux\iCloud Drive ({company})\x", r"C:\Users\<user>\iCloud Drive (<company>)\x"),
    "nextcloud": (r"C:\Users\quux\Nextcloud - {company}\x", r"C:\Users\<user>\Nextcloud - <company>\x"),
    "egnyte": (r"Z:\Egnyte\Private\{person}\x", r"Z:\...\Private\...\x"),
}  # fmt: skip
ACCOUNT = "rosalind_quux_globexo_com"
SERVERS = {
    "webdav": (rf"\\globexo.sharepoint.com@SSL\DavWWWRoot\personal\{ACCOUNT}\Documents", r"\\<host>@SSL\DavWWWRoot\personal\<user>\Documents"),
    "webdav-doubled": (
        rf"\\\\globexo-my.sharepoint.com@SSL\\DavWWWRoot\\personal\\{ACCOUNT}\\x",
        r"\\\\<host>@SSL\\DavWWWRoot\\personal\\<user>\\x",
    ),
    "webdav-without-its-root": (rf"\\globexo-my.sharepoint.com@SSL\personal\{ACCOUNT}\x", r"\\<host>@SSL\personal\<user>\x"),
    "site": (r"\\globexo.sharepoint.com@SSL\DavWWWRoot\sites\Rosalind Team\x", r"\\<host>@SSL\DavWWWRoot\sites\<team>\x"),
    "address": (f"https://globexo-my.sharepoint.com/personal/{ACCOUNT}/Documents", "https://<company>.sharepoint.com/personal/<user>/Documents"),
    "shared-address": (f"https://globexo.sharepoint.com/:f:/g/personal/{ACCOUNT}/E1", "https://<company>.sharepoint.com/:f:/g/personal/<user>/..."),
    "files-of-nextcloud": (r"\\cloud.globexo.de@SSL\remote.php\dav\files\rosalind\x", r"\\<host>@SSL\remote.php\dav\files\<user>\x"),
    "in-a-list": (
        r"PATH=C:\Users\quux\OneDrive - Globexo;C:\Users\quux\Globexo Dropbox\Rosalind Quux;C:\Windows",
        r"PATH=C:\Users\<user>\OneDrive - <company>;C:\Users\<user>\<company> Dropbox\<user>;C:\Windows",
    ),
    "in-a-sentence": (r"C:\Users\quux\OneDrive - Globexo GmbH is full", r"C:\Users\<user>\OneDrive - <company>"),
    "encoded": ("file:///C:/Users/quux/Globexo%20Dropbox/Rosalind%20Quux/x", "file:///C:/Users/<user>/<company>%20Dropbox/<user>/x"),
    "escaped": (r"/mnt/c/Users/quux/OneDrive\ -\ Globexo/x", r"/mnt/c/Users/<user>/OneDrive\ -\ <company>/x"),
    "variable": (r"%USERPROFILE%\OneDrive-Globexo\x", r"%USERPROFILE%\OneDrive-<company>\x"),
}  # fmt: skip
# Folders that name nobody.
KEPT = (
    r"C:\Users\<user>\OneDrive\x", r"C:\Users\<user>\Dropbox\x", r"C:\Users\<user>\Dropbox (Personal)\x", r"D:\My Dropbox\x",
    r"C:\Users\<user>\iCloudDrive\x", r"C:\Users\<user>\Box\x", r"C:\Users\<user>\Box Sync\x", r"G:\My Drive\x",
    "/Users/<user>/Library/CloudStorage/OneDrive-Personal/x", "/Users/<user>/Library/CloudStorage/Box-Box/x",
    "/Users/<user>/Library/Mobile Documents/com~apple~CloudDocs/x", r"C:\Users\<user>\Creative Cloud Files\x",
    r"C:\Program Files\Dropbox\Client\Dropbox.exe",
)  # fmt: skip


def _fill(form: str) -> list[str]:
    """Return a form with each company, person and team that it has a place for."""
    names = [
        choices if f"{{{place}}}" in form else choices[:1]
        for place, choices in (("company", COMPANIES), ("person", PERSONS), ("team", TEAMS))
    ]
    return [
        form.format(company=company, person=person, team=team)
        for company, person, team in itertools.product(*names)
    ]


def _share(text: str) -> str:
    return redact(text, Identity())


def _find_marks(text: str) -> list[str]:
    return [mark for mark in MARKS if mark in text.lower()]


@pytest.mark.parametrize("client", CLIENTS)
def test_hides_each_name_in_the_folder_of_a_client(client: str) -> None:
    form, shared = CLIENTS[client]
    # Of a name with other letters than those of ASCII, one sign tells that.
    assert {_share(text).replace("\u2026", "...") for text in _fill(form)} == {shared}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("around", ["{}", '"{}"', "'{}'", "x={};y", "['{}', 1]", "at {}\nnext", "`{}`"])
def test_hides_within_a_text(around: str, client: str) -> None:
    texts = [around.format(text) for text in _fill(CLIENTS[client][0])]
    doubled = [json.dumps(text) for text in texts]
    assert _find_marks("".join(map(_share, (*texts, *doubled)))) == []


@pytest.mark.parametrize(("text", "shared"), SERVERS.values(), ids=SERVERS)
def test_hides_in_other_forms(text: str, shared: str) -> None:
    assert _share(text) == shared


@pytest.mark.parametrize("text", KEPT)
def test_keeps_folders_that_name_nobody(text: str) -> None:
    assert _share(text) == text


@pytest.mark.parametrize("client", [*CLIENTS, *SERVERS])
def test_hides_once(client: str) -> None:
    shared = (CLIENTS | SERVERS)[client][1]
    assert _share(shared) == shared


@pytest.mark.parametrize("form", REPORT_FORMATS[1:])
def test_no_format_of_a_report_has_a_name(form: str, plant) -> None:
    texts = [
        text
        for template, _ in (*CLIENTS.values(), *SERVERS.values())
        for text in (_fill(template)[0], _fill(template)[-1])
    ]
    report = redact(plant(Report, "\n".join(texts)), Identity(), (Knowledge,))
    assert _find_marks(load_renderer(form).render(report)) == []


@pytest.mark.parametrize(
    "client", ["dropbox-business", "sharepoint", "onedrive-with-a-dash", "creative-cloud"]
)
def test_no_format_has_the_names_of_the_folder_of_an_environment(
    client: str, torchdoctor, tmp_path: Path
) -> None:
    sample = next((Path(__file__).parents[1] / "samples").glob("machines/47-*.json"))
    folder = _fill(CLIENTS[client][0])[0].replace("\\", r"\\")
    text = sample.read_text(encoding="utf-8").replace(
        r"C:\\Users\\me\\PycharmProjects\\BERT-BiLSTM-CRF", folder
    )
    file = tmp_path / "facts.json"
    file.write_text(text, encoding="utf-8")
    results = [
        torchdoctor("scan", "--facts", file.name, "--format", form).stdout
        for form in ("json", "sarif", "markdown")
    ]
    assert ("torch" in results[0], _find_marks("".join(results)), "Globexo" in text) == (True, [], True)
