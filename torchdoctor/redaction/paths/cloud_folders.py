"""Hide the companies, teams and persons after whom the clients of cloud storage name their folders.

A client makes its folder below that of the user, or where the user says; the name of the client marks it.
"""

import re
from collections.abc import Callable

from torchdoctor.redaction.paths.separators import SEPARATOR
from torchdoctor.redaction.words.shared_names import is_file_of_programs, is_folder_of_programs

_BLANK = r"(?:\\?[ ]|%20)"
# Names of companies have dots, commas and apostrophes; in a list of folders a semicolon ends one.
_SIGN = r"(?:[^\s\\/¥₩:;|*?<>\"'`%\x00-\x1f\x7f\x85\u2028\u2029]|'(?=\w)|%(?!5c|2f|20))"
_NAME = rf"{_SIGN}{{1,40}}(?:{_BLANK}{{1,2}}{_SIGN}{{1,40}}){{0,5}}?"
_END = (
    rf"(?=[ ]*(?:{SEPARATOR}|[;\"'`|*?<>:\x00-\x1f\x85\u2028\u2029]|$|,[ ](?:line[ ])?\d|&(?:quot|apos|\#)))"
)
# Where a sentence goes on behind the name, words with a capital letter are of it.
_IN_A_SENTENCE = rf"{_SIGN}{{1,40}}(?:{_BLANK}(?-i:[A-Z&]){_SIGN}{{0,40}}){{0,4}}"
_AT_THE_END = rf"(?:{_NAME}{_END}|{_IN_A_SENTENCE})"
_START = r"(?<=[\\/¥₩])|(?<=%5c)|(?<=%2f)"
# Below the folder of a user, the root of a drive, or the folder where macOS has the clients.
_HOME = (
    rf"(?:<user>|(?<![\w~])~|%userprofile%|\$(?:env:userprofile|\{{?home\}}?)|cloudstorage|(?<![^\W_])[a-z]:)"
    rf"{SEPARATOR}{{1,8}}"
)
_OWN_ACCOUNT = r"(?!(?:personal|privat|private|perso)(?![\w-])|sharedlibraries-)"
_CLIENTS = (
    rf"onedrive(?:-sharedlibraries)?|dropbox|google{_BLANK}?drive|my{_BLANK}drive|box(?:{_BLANK}(?:sync|drive))?|icloud"
    rf"(?:{_BLANK}?drive)?|nextcloud|owncloud|egnyte|sharefile|pcloud|synologydrive|seafile|tresorit|creative{_BLANK}cloud{_BLANK}files"
)
_SIGNS = ("drive", "box", "cloud", "egnyte", "sharefile", "seafile", "tresorit")
_TENANT = re.compile(
    r"(?i)(?:(?<![\w.\\/<>-])|(?<=[:@]//))[a-z\d][\w-]{0,62}(?=\.sharepoint(?:-\w{2,5})?\.[a-z]{2,3}\b)"
)

# A server of a company's own: https://sharepoint.example.org
_OWN_SERVER = re.compile(r"(?i)(?<=://)sharepoint\.(?!com\b)[\w.-]{1,100}")

# The two folders that the client of Google Drive has in each language.
OF_GOOGLE_DRIVE = (
    "My Drive|Meine Ablage|Mon Drive|Mi unidad|Il mio Drive|Meu Drive|O meu disco|Mijn Drive"
    "|Min enhet|Mit drev|Mój dysk|Мой диск|Мій диск"
    "|我的云端硬盘|我的雲端硬碟|マイドライブ|내 드라이브|Drive'?ım"
    "|Shared drives|Geteilte Ablagen|Drive partagés|Unidades compartidas|Drive condivisi"
    "|Drives compartilhados|Discos partilhados|Gedeelde Drives|Delade enheter|Fællesdrev"
    "|Dyski współdzielone|Общие диски|Спільні диски|共享云端硬盘|共用雲端硬碟|共有ドライブ|공유 드라이브"
    "|Ortak Drive'lar"
)
# A library of SharePoint, as OneDrive names its folder below that of the company: `Site - Documents`.
LIBRARY = (
    r"[^\\/]+ - (?:"
    r"Documents|Documents partages|Documents partagés|Documentos|Documentos compartidos"
    r"|Documenti|Documenten|Dokument|Dokumente|Dokumenter|Dokumenty|General|Allgemein"
    r"|Shared Documents|Freigegebene Dokumente|Общие документы|Документы|文档|文件|共享文档|ドキュメント|문서"
    r")"
)

_Show = Callable[[re.Match[str]], str]


def _mask(shown: str) -> _Show:
    return lambda match: f"{match['start']}{shown}"


def _show_dropbox(match: re.Match[str]) -> str:
    """Mask the company, and the member whose folder stands below unless programs make one with that name."""
    company = match["company"] if match["company"].lower() == "my" else "<company>"
    member = match["member"]
    if member and not (is_folder_of_programs(member) or is_file_of_programs(member)):
        member = "<user>"
    return f"{match['start']}{company}{match['client']}{match['between'] or ''}{member or ''}"


# Each row: signs of which one must be in the text, in lower case; the pattern; what is shown.
_ROWS: tuple[tuple[tuple[str, ...], str, _Show], ...] = (
    # Globexo Dropbox\Rosalind Quux
    (
        ("dropbox",),
        rf"(?P<start>{_START})(?P<company>{_NAME})(?P<client>{_BLANK}Dropbox){_END}"
        rf"(?:(?P<between>{SEPARATOR}{{1,8}})(?P<member>{_NAME}){_END})?",
        _show_dropbox,
    ),
    # Dropbox (Globexo)\Rosalind Quux
    (
        ("dropbox",),
        rf"(?P<start>(?:{_START})Dropbox{_BLANK}\()(?!personal\))(?P<company>[^\\/()<>]{{1,80}})(?P<client>\))"
        rf"(?:(?P<between>{SEPARATOR}{{1,8}})(?P<member>{_NAME}){_END})?",
        _show_dropbox,
    ),
    # OneDrive - Globexo, wherever it is.
    (
        ("onedrive",),
        rf"(?P<start>(?:{_START})OneDrive{_BLANK}-{_BLANK}){_OWN_ACCOUNT}{_AT_THE_END}",
        _mask("<company>"),
    ),
    # OneDrive-Globexo, Box - Globexo, Google Drive (Globexo), Creative Cloud Files Globexo
    (
        _SIGNS,
        rf"(?P<start>{_HOME}(?:{_CLIENTS})(?:{_BLANK}?-{_BLANK}?)){_OWN_ACCOUNT}(?!box(?![\w-])){_AT_THE_END}",
        _mask("<company>"),
    ),
    (
        _SIGNS,
        rf"(?P<start>{_HOME}(?:{_CLIENTS}){_BLANK}?)\((?!personal\)|archived?\)|\d{{1,2}}\))[^\\/()<>]{{1,80}}(?=\))",
        lambda match: f"{match['start']}(<company>",
    ),
    (
        ("creative",),
        rf"(?P<start>(?:{_START})Creative{_BLANK}Cloud{_BLANK}Files{_BLANK}{{1,2}})(?![(<-]){_OWN_ACCOUNT}{_AT_THE_END}",
        _mask("<company>"),
    ),
    # \\tenant.sharepoint.com@SSL\DavWWWRoot\personal\person_company_com, and the same as an address.
    (
        ("sharepoint", "davwwwroot", "@ssl"),
        rf"(?P<start>(?:sharepoint[\w.-]*(?:@\w+)?|davwwwroot|@ssl(?:@\d{{1,5}})?|:\w:{SEPARATOR}\w)"
        rf"{SEPARATOR}{{1,8}}(?:davwwwroot{SEPARATOR}{{1,8}})?personal{SEPARATOR}{{1,8}})[^\s\\/¥₩:;|*?<>\"'`%]{{1,100}}",
        _mask("<user>"),
    ),
    (
        ("sharepoint", "davwwwroot", "@ssl"),
        rf"(?P<start>(?:sharepoint[\w.-]*(?:@\w+)?|davwwwroot|@ssl(?:@\d{{1,5}})?|:\w:{SEPARATOR}\w)"
        rf"{SEPARATOR}{{1,8}}(?:davwwwroot{SEPARATOR}{{1,8}})?(?:sites|teams){SEPARATOR}{{1,8}}){_AT_THE_END}",
        _mask("<team>"),
    ),
    # A link to the files of a site: https://<company>.sharepoint.com/:f:/s/radiology/E1
    (
        ("sharepoint",),
        rf"(?P<start>sharepoint[\w.-]*{SEPARATOR}{{1,8}}:\w:{SEPARATOR}(?:[st]|r{SEPARATOR}(?:sites|teams)){SEPARATOR}){_AT_THE_END}",
        _mask("<team>"),
    ),
    # The files of a person on a server of Nextcloud, and of a person of OneDrive by number.
    (
        ("dav",),
        rf"(?P<start>{SEPARATOR}dav{SEPARATOR}{{1,8}}files{SEPARATOR}{{1,8}})[^\s\\/:;|*?<>\"'`%]{{1,100}}",
        _mask("<user>"),
    ),
    (
        ("docs.live.net", "@ssl"),
        rf"(?P<start>(?:docs\.live\.net(?:@ssl)?|@ssl){SEPARATOR}{{1,8}})[\da-f]{{16}}(?!\w)",
        _mask("<user>"),
    ),
)  # fmt: skip
_FORMS = tuple((signs, re.compile(f"(?im){pattern}"), show) for signs, pattern, show in _ROWS)


def hide_cloud_folders(text: str) -> str:
    """Replace companies by `<company>`, teams by `<team>` and persons by `<user>` in the folders of clients.

    The folders of users have been replaced before. What people name below a client's folder has no mark: see
    machine_paths.
    """
    lowered = text.lower()
    if "sharepoint" in lowered:
        text = _OWN_SERVER.sub("<host>", _TENANT.sub("<company>", text))
    for signs, pattern, show in _FORMS:
        if any(sign in lowered for sign in signs):
            text = pattern.sub(show, text)
    return text
