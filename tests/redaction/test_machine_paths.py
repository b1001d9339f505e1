"""Of the paths of a machine, no shared output has a part that people named, below whatever marker it stands."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from torchdoctor.actions.formats import REPORT_FORMATS
from torchdoctor.actions.showing import load_renderer
from torchdoctor.check import Finding, Location
from torchdoctor.commands.dlls import DllAnalysis
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.facts import Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.probes.identity import read_identity
from torchdoctor.redaction.paths.machine_paths import leave_out_named_parts
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.renderers import json as json_renderer
from torchdoctor.report import Report

SAMPLES = Path(__file__).parents[1] / "samples"
# Of each check, a sample of each kind, such as bad and good.
FACTS = list(
    {
        (file.parent.name, file.name.partition("-")[0]): file for file in sorted(SAMPLES.glob("*/*.json"))
    }.values()
)
# Persons, companies, teams and projects, as people write them in many places.
NAMES = (
    "globexo", "Globexo GmbH", "Rosalind Quux", "rosalind.quux", "quux42", "rosalind_quux-env", "Quux, Rosalind",
    "O'Quux & Globexo", "Globexo (Rosalind)", "Globexo Team - Documents", "Rosalinds Laptop", "globexo.old", "Globexo, Inc.",
    "rosalind@quux01", "GLOBEXO+rosalind=rquux@quux01", "Розалинд Квукс", "グロベクソ株式会社", "글로벡소", "格洛贝索", "Γκλομπέξο",
    "גלובקסו", "جلوبكسو", "Globéxo Müller S.A.", "Quux\u00a0Globexo", "20260131_quux", "quux v2.0", "quux [new]", "#quux", "quux;globexo",
)  # fmt: skip
MARKS = (
    "globexo", "globéxo", "müller", "rosalind", "quux", "розалинд", "квукс", "グロベクソ", "株式会社", "글로벡소",
    "格洛贝索", "γκλομπέξο", "גלובקסו", "جلوبكسو", "gmbh", "inc.",
)  # fmt: skip
# Places below which people name folders: the names stand for `{a}` and `{b}`.
MARKERS = {
    "windows": (
        r"\\nas01\{a}\{b}", r"\\nas01@SSL@5006\DavWWWRoot\{a}\{b}", r"\\nas01@8080\DavWWWRoot\{a}\{b}", r"\\nas01:8080\{a}\{b}",
        r"\\nas01\webdav@SSL\{a}\{b}", r"\\?\UNC\nas01\{a}\{b}", r"\\sshfs.kr\{a}\{b}", r"\\sshfs\{a}\{b}", r"\\rclone\{a}\{b}",
        r"\\wsl$\Ubuntu\mnt\{a}\{b}", r"\\wsl.localhost\Debian\home\me\{a}\{b}", r"\\tsclient\{a}\{b}", r"\\nas01\c$\{a}\{b}",
        r"C:\Users\me\{a}\{b}", r"C:\Users\me\AppData\Local\{a}\{b}", r"C:\Users\me\Documents\{a}\{b}", r"C:\Users\Public\{a}\{b}",
        r"C:\Users\me\OneDrive\{a}\{b}", r"E:\OneDrive\{a}\{b}", r"D:\Sync\{a}\{b}", r"S:\ShareFile\{a}\{b}", r"Z:\Egnyte\{a}\Private\{b}",
        r"C:\Users\me\Dropbox\{a}\{b}", r"C:\Users\me\Nextcloud {a}\{b}", r"C:\Users\me\Box {a}\{b}", r"C:\Users\me\Google Drive {a}\{b}",
        r"C:\Users\me\Seafile\{a}\{b}", r"C:\Users\me\iCloudDrive\{a}\{b}", r"C:\Users\me\MEGA\{a}\{b}", r"C:\Users\me\坚果云\{a}\{b}",
        r"G:\Shared drives\{a}\{b}", r"G:\Drive partagés\{a}\{b}", r"G:\Gedeelde drives\{a}\{b}", r"G:\Dyski współdzielone\{a}\{b}",
        r"G:\Общие диски\{a}\{b}", r"G:\공유 드라이브\{a}\{b}", r"G:\Ortak Drive'lar\{a}\{b}", r"G:\Other computers\{a}\{b}",
        r"G:\.shortcut-targets-by-id\1aB\{a}\{b}", r"X:\Team\Users\{a}\{b}", r"X:\Profile\{a}\{b}", r"D:\{a}\{b}", r"C:\{a}\{b}",
        r"C:\ProgramData\{a}\{b}", r"C:\miniconda3\envs\{a}\{b}", r"C:\inetpub\{a}\{b}", r"%USERPROFILE%\{a}\{b}", r"%OneDrive%\{a}\{b}",
        r"$HOME\{a}\{b}", r"..\{a}\{b}", r"~\{a}\{b}", r"C:Users\me\{a}\{b}", r"\Users\me\{a}\{b}", r"Users\me\{a}\{b}",
        r"C:\Python311\Lib\site-packages\..\..\..\{a}\{b}", r"C:\Program Files\x\..\..\{a}\{b}", r"%windir%\..\{a}\{b}", "//nas01/{a}/{b}", r"C:/Users/me/{a}/{b}", r"\\?\C:\Users\me\{a}\{b}", r"\\?\Volume{{1b3c}}\{a}\{b}",
    ),
    "posix": (
        "/mnt/{a}/{b}", "/mnt/c/Users/me/{a}/{b}", "/media/x/{a}/{b}", "/run/media/x/{a}/{b}", "/Volumes/{a}/{b}",
        "/Volumes/Egnyte/{a}/Private/{b}", "/net/{a}/{b}", "/nfs/{a}/{b}", "/gpfs/{a}/{b}", "/lustre/{a}/{b}", "/afs/{a}/{b}",
        "/scratch/{a}/{b}", "/work/{a}/{b}", "/data/{a}/{b}", "/projects/{a}/{b}", "/srv/{a}/{b}", "/opt/{a}/{b}", "/tmp/{a}/{b}",
        "/run/user/1000/gvfs/smb-share:server={a},share={b},user=x", "/run/user/1000/gvfs/afp-volume:host={a},volume={b}",
        "/run/user/1000/kio-fuse-QxYzAb/smb/{a}/{b}", "/tmp/kio-fuse-QxYzAb/fish/{a}/{b}", "~/.gvfs/share on {a}/{b}",
        "/home/me/{a}/{b}", "/home/{a}/{b}", "/home/globexo/rosalind/{a}", "/home/me/mnt/{a}/{b}", "/Users/me/Documents/{a}/{b}",
        "/Users/me/Library/CloudStorage/Dropbox-{a}/{b}", "/Users/me/Library/CloudStorage/GoogleDrive-x/Drive partagés/{a}/{b}",
        "/Users/me/Library/Mobile Documents/{a}/{b}", "/content/drive/Shareddrives/{a}/{b}", "/content/drive/MyDrive/{a}/{b}",
        "/content/{a}/{b}", "/kaggle/input/{a}/{b}", "/kaggle/working/{a}/{b}", "/home/azureuser/cloudfiles/code/Users/{a}/{b}",
        "/mnt/batch/tasks/shared/LS_root/mounts/clusters/{a}/code/Users/{b}/x", "/home/ec2-user/SageMaker/{a}/{b}",
        "/opt/ml/input/data/{a}/{b}", "/Workspace/Users/{a}/{b}", "/Workspace/Repos/{a}/{b}", "/dbfs/FileStore/{a}/{b}",
        "/teamspace/studios/{a}/{b}", "/notebooks/{a}/{b}", "/storage/{a}/{b}", "/workspace/{a}/{b}", "/usr/people/{a}/{b}",
        "/usr/local/{a}/{b}", "/Volumes/Macintosh HD/Users/{a}/{b}", "/mnt/my disk/home/{a}/{b}", "/var/lib/{a}/{b}", "/export/home/{a}/{b}", "/cluster/{a}/{b}", "/dev/shm/{a}/{b}",
        "/private/tmp/{a}/{b}", "$HOME/{a}/{b}", "${{HOME}}/{a}/{b}", "~/{a}/{b}", "s3://{a}/{b}", "gs://{a}/{b}", "hdfs://x/{a}/{b}",
        "dbfs:/{a}/{b}", "gpu01:/{a}/{b}", "file://nas01/{a}/{b}", "sftp://x/{a}/{b}",
        "hf://datasets/{a}/{b}", "az://x/{a}/{b}", "dvc://x/{a}/{b}", "wandb://x/{a}/{b}", "rsync://x/{a}/{b}", "jupyter://x/{a}/{b}",
        "/usr/lib/python3/dist-packages/x/../../../../../{a}/{b}", "/usr/lib/../../{a}/{b}", "~me/{a}/{b}", "b'/{a}/{b}'", "b'/home/me/{a}/{b}'",
        "f'/{a}/{b}'", 'rb"/{a}/{b}"', 'L"/{a}/{b}"', "fr'/data/{a}/{b}'",
        "../../home/{a}/{b}", "home/{a}/{b}", "../{a}/{b}", "~/../{a}/{b}", "/run/desktop/mnt/host/c/Users/{a}/{b}",
    ),
}  # fmt: skip
FRAMES = (
    "{}", '"{}"', "'{}'", "`{}`", "['{}', 1]", "TORCH_HOME={}", 'File "{}", line 3, in <module>', "torch is imported from {}",
    "torch is imported from {}, and torch 2.1.0 is installed in C:\\Python311", "{} is imported in place of torch", "{}: not found",
    "at {}\nnext line", "({})",
)  # fmt: skip
# The end of a name is not told from what stands behind it.
UNSURE = ("quux;globexo",)
LISTS = {"windows": "C:\\Windows;{};D:\\data", "posix": "/usr/bin:{}:/usr/lib"}
# Of these, nothing is left out.
KEPT = (
    r"C:\Users\<user>\AppData\Local\Programs\Python\Python311\Lib\site-packages\torch\lib\c10.dll",
    r"C:\Users\<user>\miniconda3\Lib\site-packages\globexo\_C.pyd", r"C:\Program Files\Globexo\bin", r"C:\Windows\System32\quux.dll",
    r"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.4\bin", r"D:\ComfyUI\custom_nodes\quux\nodes.py", r"D:\AI\ComfyUI\main.py",
    r"C:\Users\<user>\AppData\Local\Packages\PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0\LocalCache\local-packages",
    r"\\<host>\data\models", r"\\wsl$\Ubuntu-22.04\home\<user>\.cache\torch", "/usr/lib/python3/dist-packages/quux", "/usr/local/cuda-12.4/bin",
    "/opt/conda/lib/python3.11/site-packages/torch", "/home/<user>/.cache/huggingface", "~/.cache/torch", "/mnt/c/Windows/System32/quux.dll",
    "/content/drive/MyDrive", "https://github.com/quux/globexo", "python x.py /quux", "cl.exe /EHsc /O2 quux.cpp", "1/2 and/or quux/globexo.py",
    "run `C:\\v\\Scripts\\python.exe -m pip install torch --index-url https://download.pytorch.org/whl/cu126`",
    r're.search(r"/(\d+)\.png$")', r'{"a": "C:\\ComfyUI>.\\python_embeded\\python.exe -s ComfyUI\\main.py --windows"}', r"C:\Python311\Lib\site-packages\torch\..\nvidia\quux\bin", r"in <module>\\nimport torch\\n", "/usr/lib/quux/../globexo.so",
    r"C:\data\train.py is imported in place of train by programs that start in this folder", "</quux>", r"(\d+\\w+)",
)  # fmt: skip


def _find_marks(text: str) -> list[str]:
    text = text.lower()
    return [mark for mark in MARKS if mark in text or json.dumps(mark)[1:-1] in text]


def _fill(form: str) -> Iterator[str]:
    for number, name in enumerate(NAMES):
        yield form.format(a=name, b=NAMES[number - 7])


def _share(text: str) -> str:
    return redact(text, Identity())


# How a web page and an editor write a path; the names stand in it as such an address has them.
ENCODED = (
    "file:///c%3A/Users/me/{}/{}", "file:///D%3A/{}/{}", "vscode-notebook-cell:/c%3A/{}/{}.ipynb", "http://localhost:8888/edit/c%3A/{}/{}",
    "https://example.org/?path=%2F{}%2F{}", "https://example.org/?path=..%2F{}%2F{}", "https://example.org/?path=~%2F{}%2F{}", "https://example.org/?path=%2F%2Fnas01%2F{}%2F{}",
    "https://example.org/?path=%5C%5Cnas01%5C{}%5C{}", "https://example.org/?path=C%3A%5C{}%5C{}",
)  # fmt: skip
# Behind the sign that ends an element of XML.
IN_ELEMENTS = (
    r"<path>\\nas01\{a}\{b}\x.py</path>",
    r"<path>Users\me\{a}\{b}\x.py</path>",
    "<path>home/me/{a}/{b}/x.py</path>",
)
FORMS = [(kind, form) for kind, forms in MARKERS.items() for form in forms]


def _list_texts(kind: str, form: str) -> Iterator[str]:
    """Yield each path of a marker alone and in two frames, so that all frames have some names."""
    frames = (*FRAMES, LISTS[kind])
    for number, path in enumerate(_fill(form)):
        yield path
        if not any(each in path for each in UNSURE):
            yield frames[number % len(frames)].format(path)
            yield frames[number * 7 % len(frames)].format(path).replace("\\", "\\\\")


@pytest.mark.parametrize(("kind", "form"), FORMS, ids=[form for _, form in FORMS])
def test_no_part_that_people_name_is_shown(kind: str, form: str) -> None:
    shown = {text: _share(text) for text in _list_texts(kind, form)}
    assert {text: marks for text in shown if (marks := _find_marks(shown[text]))} == {}


@pytest.mark.parametrize("form", ENCODED)
def test_no_part_of_an_encoded_path_is_shown(form: str) -> None:
    names = [quote(name, safe="") for name in NAMES]
    shown = [_share(form.format(name, names[number - 7])) for number, name in enumerate(names)]
    assert [unquote(text) for text in shown if _find_marks(unquote(text))] == []


@pytest.mark.parametrize("form", IN_ELEMENTS)
def test_no_part_in_an_element_is_shown(form: str) -> None:
    shown = [_share(text) for text in _fill(form)]
    assert [text for text in shown if _find_marks(text)] == []


@pytest.mark.parametrize("text", KEPT)
def test_what_programs_make_is_shown(text: str) -> None:
    assert _share(text) == text


@pytest.mark.parametrize(("kind", "form"), FORMS, ids=[form for _, form in FORMS])
def test_is_left_out_once(kind: str, form: str) -> None:
    shown = [_share(text) for text in _list_texts(kind, form)]
    assert [text for text in shown if _share(text) != text] == []


@pytest.mark.parametrize("name", ["rosalind", "globexo-ws", "quux01", "Розалинд"])
@pytest.mark.parametrize(
    "form", ["users.{}.num_workers is 18", "data.loader.{}.num_workers", "hosts/{}/workers is 8"]
)
def test_no_section_of_a_key_has_a_name(form: str, name: str) -> None:
    assert _share(form.format(name)) == form.format("...")


@pytest.mark.parametrize(
    "text",
    ["train.dataloader.num_workers is 18", "data.0.num_workers is 8", "self.num_workers is None", "a/b is 3"],
)
def test_sections_that_programs_have_stay(text: str) -> None:
    assert _share(text) == text


# These measure names, and what stands for a name has another length and other letters.
MEASURING = ("long-path", "non-ascii-path")


@pytest.mark.parametrize("part", range(6))
def test_checks_find_the_same_in_facts_that_are_shared(part: int, scan_sample, tmp_path: Path) -> None:
    for file in FACTS[part::6]:
        report = scan_sample(file)
        shared = tmp_path / file.name
        shared.write_text(json_renderer.render(redact(report, Identity(), (Knowledge,))), encoding="utf-8")
        again = scan(ScanRequest(facts_file=shared))
        found = [
            [
                (each.name, each.status, len(each.findings))
                for each in one.outcomes
                if each.name not in MEASURING
            ]
            for one in (report, again)
        ]
        assert found[0] == found[1], file.name


def test_a_folder_of_other_letters_is_still_found(scan_sample, tmp_path: Path) -> None:
    report = scan_sample(next(SAMPLES.glob("non_ascii_path/bad-environment.json")))
    file = tmp_path / "shared.json"
    file.write_text(json_renderer.render(redact(report, Identity(), (Knowledge,))), encoding="utf-8")
    again = scan(ScanRequest(facts_file=file))
    assert [each.status for each in again.outcomes if each.name == "non-ascii-path"] == ["failed"]


@pytest.mark.parametrize(
    "piece",
    [
        "C:\\",
        "/a b/",
        "\\\\a\\",
        "<user>/",
        "(C:\\a(",
        "%5Ca",
        "x;C:\\a b ",
        "$a/",
        "'/",
        "s3://a ",
        "¥",
        "a.py ",
        ":/",
    ],
)
def test_time_is_linear_in_a_line(piece: str) -> None:
    def measure(count: int) -> float:
        start = time.process_time()
        leave_out_named_parts(piece * count)
        return time.process_time() - start

    limit = 16 * measure(4_000) + 0.05
    # Once may be by chance; a line that was read already is not read again.
    assert measure(32_000) < limit or measure(32_001) < limit


PLANTED = "\n".join(
    path for number, (_, form) in enumerate(FORMS) for path in list(_fill(form))[number % 3 :: 9]
)


OWN_FILE = "/code/here/train.py"


def _place(planted):
    """Return a report whose findings stand in a file that the user has named, which is shown as it was named."""

    def place(finding):
        location = finding.location
        return finding if location is None else replace(finding, location=replace(location, path=OWN_FILE))

    outcomes = tuple(replace(each, findings=tuple(map(place, each.findings))) for each in planted.outcomes)
    return replace(planted, outcomes=outcomes)


@pytest.mark.parametrize("form", REPORT_FORMATS[1:])
def test_no_format_of_a_report_has_a_name(form: str, plant) -> None:
    report = replace(_place(plant(Report, PLANTED)), facts_file=OWN_FILE, config_file=OWN_FILE)
    report = redact(report, Identity(), (Knowledge,))
    assert _find_marks(load_renderer(form).render(report)) == []


def test_no_other_output_has_a_name(plant) -> None:
    planted = (
        plant(Facts, PLANTED),
        plant(LoaderPlan, PLANTED),
        _place(plant(DllAnalysis, PLANTED)),
    )
    facts, plan, analysis = (redact(each, Identity(), (Knowledge,)) for each in planted)
    outputs = (
        json_renderer.render_facts(facts, "1", "2026-01-01T00:00:00+00:00"),
        json_renderer.render_plan(plan, "1"),
        json_renderer.render_dlls(analysis.closure, analysis.outcomes, analysis.knowledge, "1"),
    )
    assert [_find_marks(output) for output in outputs] == [[], [], []]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/data/quux/train.py", "/data/quux/train.py"),
        (r"D:\quux\train.py", r"D:\quux\train.py"),
        ("/home/quux/globexo/train.py", "/home/<user>/.../train.py"),
        (r"\\globexo\quux\train.py", r"\\<host>\...\train.py"),
        (r"E:\OneDrive - Globexo\train.py", r"E:\OneDrive - <company>\train.py"),
        ("OneDrive - Globexo/quux/train.py", "OneDrive - <company>/.../train.py"),
        (r"..\OneDrive - Globexo\train.py", r"..\OneDrive - <company>\train.py"),
        ("Globexo GmbH Dropbox/Rosalind Quux/train.py", "<company> Dropbox/<user>/train.py"),
        ("Google Drive/Rosalind/train.py", "Google Drive/.../train.py"),
        ("Users/Rosalind Quux/globexo/train.py", "Users/<user>/.../train.py"),
        ("../../home/rosalind/globexo/train.py", "../../home/<user>/.../train.py"),
        ("mnt/c/Users/rosalind/train.py", "mnt/c/Users/<user>/train.py"),
        ("src/dropbox_client/train.py", "src/dropbox_client/train.py"),
        ("users/views/train.py", "users/views/train.py"),
        ("home/train.py", "home/train.py"),
        ("src/quux/train.py", "src/quux/train.py"),
    ],
)
def test_file_of_a_finding_is_shown_as_named_unless_it_is_in_a_folder_of_people(
    path: str, shown: str
) -> None:
    redacted = redact(Finding(f"{path} holds a lambda", Location(path, 1)), Identity())
    assert (redacted.location.path, redacted.message) == (shown, f"{shown} holds a lambda")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            r"C:\Users\rosalind\quux\python: No module named torch",
            r"C:\Users\<user>\...\python: No module named torch",
        ),
        ("/bin/sh: /opt/quux/bin/nvcc: No such file", "/bin/sh: /opt/.../bin/nvcc: No such file"),
        (r"D:\quux\data does not exist. Set it", r"D:\...\data does not exist. Set it"),
        ("/home/rosalind/env/bin/python -m pip install x", "/home/<user>/env/bin/python -m pip install x"),
        (r"D:\quux\Globexo Rosalind", r"D:\...\..."),
    ],
)
def test_message_behind_a_path_is_shown(text: str, shown: str) -> None:
    assert redact(Finding(text), Identity()).message == shown


@pytest.mark.parametrize(
    ("folder", "path", "shown"),
    [
        ("/home/me", "Nextcloud - Globexo/quux/c.py", "Nextcloud - <company>/.../c.py"),
        ("/home/me", "Globexo GmbH/Quux - Dokumente/x/c.py", ".../.../x/c.py"),
        ("/home/me", "Box Sync/quux/c.py", "Box Sync/.../c.py"),
        ("/mnt/g", "Geteilte Ablagen/Globexo AI/quux/c.py", ".../.../.../c.py"),
        ("/mnt/d", "Profiles/rosalind/quux/c.py", "Profiles/<user>/.../c.py"),
        ("/srv", "users/rosalind/quux/c.py", "users/<user>/.../c.py"),
        ("/mnt/c/Users", "rosalind/quux/c.py", "<user>/.../c.py"),
        ("/mnt/c/Users/me/Globexo Dropbox", "Rosalind Quux/x/c.py", "<user>/x/c.py"),
        ("/mnt/c/Users/me/quux", "../../rosalind/other/c.py", "../../<user>/.../c.py"),
        ("/home", "rosalind/quux/c.py", "<user>/.../c.py"),
        ("/home/me", "quux/c.py", "quux/c.py"),
        ("/home/me/quux", "src/c.py", "src/c.py"),
        ("/home/me/quux", "../other/c.py", "../other/c.py"),
        ("/mnt/c/Users/me/OneDrive - Globexo/quux", "src/c.py", "src/c.py"),
    ],
)
def test_folder_of_people_is_found_from_the_current_folder(folder: str, path: str, shown: str) -> None:
    identity = Identity(home="/home/me", user="me", folder=folder)
    assert redact(Finding("x", Location(path, 1)), identity).location.path == shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("Users/api/train.py", "Users/api/train.py"),
        ("Box/quux/train.py", "Box/quux/train.py"),
        ("../../rosalind/other/c.py", "../../<user>/.../c.py"),
    ],
)
def test_file_in_a_repository_is_named_as_it_is_there(path: str, shown: str) -> None:
    identity = Identity(home="/home/me", user="me", folder="/home/me/quux", is_in_repository=True)
    assert redact(Finding("x", Location(path, 1)), identity).location.path == shown


def test_repository_is_found_above_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "quux" / "src").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "home" / "quux" / "src")
    (tmp_path / "home" / ".git").mkdir()
    assert not read_identity().is_in_repository
    (tmp_path / "home" / "quux" / ".git").mkdir()
    assert read_identity().is_in_repository


def test_root_that_is_above_no_home_is_no_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    # As the root of another drive is on Windows.
    monkeypatch.setenv("HOME", "elsewhere")
    monkeypatch.setenv("USERPROFILE", "elsewhere")
    monkeypatch.chdir(Path.cwd().anchor)
    assert not read_identity().is_in_repository


def test_finding_names_only_files_beside_its_own() -> None:
    message = "/data/quux/a.py reads /data/quux/b/c.pt and /data/rosalind/b.pt"
    shown = redact(Finding(message, Location("/data/quux/a.py", 1)), Identity()).message
    assert shown == "/data/quux/a.py reads /data/quux/b/c.pt and /data/.../b.pt"
