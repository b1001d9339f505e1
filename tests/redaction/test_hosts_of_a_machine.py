"""Hosts, addresses and accounts in what a machine tells are hidden in every frame, and versions stay."""

import pytest

from torchdoctor.redaction.redaction import Identity, redact

HOSTS = (
    "quux17.globexo.corp", "quux17.lan", "quux17.local", "quux17.internal", "quux17.home.arpa", "quux.globexo.svc.cluster.local",
    "quux.globexo.com", "quux.globexo.org", "globexo.azurecr.io", "quux.jfrog.io", "globexo.net", "Rosalinds-MacBook-Pro.local",
    "Rosalinds-MBP", "ROSALIND-PC", "Rosalind-Laptop", "GLOBEXO-WS-0231", "GLOBEXO-NB12", "10.87.44.23:22", "10.87.44.23/24",
    "10.87.44.23:/export", "172.16.44.23", "192.168.44.23", "2a02:8109:9c40:44::23", "2a02:8109:9c40:1f00:a6bb:6dff:4423:197c",
    "a4bb.6de2.4423",
)  # fmt: skip
FRAMES = (
    "{}", "connect {} failed", "'{}'", '{{"a": "{}"}}', "ssh: {}: no route", "NO_PROXY=127.0.0.1,{}", "NCCL_X=eth0,{}", "({})", "x={}",
    "2026-01-12 10:00:00 INFO {}",
)  # fmt: skip
MARKS = ("quux", "globexo", "rosalind", ".44.23", "44::23", "4423")
# What names a host or a user, and stands for it.
NAMED = (
    ("*.globexo.net", "*...."), ("ip=10.87.44.23", "ip=<host>"), ("IP address: 10.87.44.23", "IP address: <host>"),
    ("host=quux17", "host=<host>"), ("host: quux17", "host: <host>"), ("server='quux-17'", "server='<host>'"), ("node=quux17", "node=<host>"),
    ("27000@quux01", "27000@<host>"), ("denied for user 'rosalind'@'quux17'", "denied for user '<user>'@'<host>'"),
    ("root - INFO - user=rosalind", "root - INFO - user=<user>"), ("[auth] user=rosalind", "[auth] user=<user>"),
    ("connected: user=rosalind, db=x", "connected: user=<user>, db=x"), ("Logged in as Rosalind Quux", "Logged in as <user>"),
    ("Benutzer: rosalind", "Benutzer: <user>"), ("Utilisateur : rosalind", "Utilisateur : <user>"), ("usuario: rosalind", "usuario: <user>"),
    ("cannot write as GLOBEXO\\rosalind here", "cannot write as <domain>\\<user> here"),
    ("PermissionError: GLOBEXO\\\\rosalind", "PermissionError: <domain>\\\\<user>"),
    ("(globexo) PS C:\\data>", "(...) PS C:\\data>"), ("(globexo-quux) C:\\data>python", "(...) C:\\data>python"),
    ("(base) PS C:\\data>", "(base) PS C:\\data>"), ("(py311) C:\\data>", "(py311) C:\\data>"), ("(.venv) PS C:\\data>", "(.venv) PS C:\\data>"),
    ("[rosalind@quux17 globexo]$ python", "[<user>@<host> ...]$ python"), ("(quux) rosalind@quux17:~$ ls", "(...) <user>@<host>:~$ ls"),
    ("hosts.DESKTOP-7K3LQ2P.num_workers is 28", "hosts.<host>.num_workers is 28"), ("DESKTOP-7K3LQ2P.yaml", "<host>.yaml"),
    ("C:\\Users\\student\\train\\.venv", "C:\\Users\\<user>\\train\\.venv"),
    ("Signed-off-by: Rosalind Quux", "Signed-off-by: <user>"), ("Invalid user rosalind from 10.0.0.1", "Invalid user <user> from 10.0.0.1"),
    ("CN=Rosalind Quux,OU=Radiology,DC=globexo,DC=local", "CN=<user>,OU=<domain>,DC=<domain>,DC=<domain>"), ("uid=rosalind,ou=people", "uid=<user>,ou=people"),
    ("su: user rosalind does not exist", "su: user <user> does not exist"), ("getpass.getuser() = rosalind", "getpass.getuser() = <user>"),
    ('"fullname": "Rosalind Quux"', '"fullname": "<user>"'), ("wget --user=rosalind x", "wget --user=<user> x"),
    ("Permission denied (publickey) for rosalind", "Permission denied (publickey) for <user>"),
    ("Server=quux;Database=globexo;User Id=rosalind;Password=Xk29;", "Server=<host>;Database=<host>;User Id=<user>;Password=<secret>;"),
    ("AccountName=globexo;EndpointSuffix=x", "AccountName=<host>;EndpointSuffix=x"),
    *((f"{mark}\\\\quux\\data", f"{mark}\\\\<host>\\data") for mark in "“„«‹「『【《→"),
)  # fmt: skip
KEPT = (
    "cudart 10.1.243.0", "driver 31.0.15.3623", "nvidia-cudnn-cu12==9.1.0.70", "threading.local", "self.local", "x.internal(1)", "machine=x86_64",
    "machine: AMD64", '"machine": "x64"', "node=12", "host=localhost", "server=1", "cannot read CUDA\\bin here", "DATA\\train.py", "see SRC\\torch",
    "user=current_user,", "f(user=name)", "User: local", "Windows-PC", "ARM-PC", "at::native::add", "std::vector<2024::x>", "0123.4567.8901",
    "python=python311", "torch@cu121", "::1", "12:30:45:10", "node: torch2",
)  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("host", HOSTS)
def test_host_is_hidden_in_every_frame(host: str, frame: str) -> None:
    shown = redact(frame.format(host), Identity())
    assert [mark for mark in MARKS if mark in shown.lower()] == [], shown


@pytest.mark.parametrize(("text", "shown"), NAMED)
def test_what_is_named_is_hidden(text: str, shown: str) -> None:
    assert redact(text, Identity()) == shown


@pytest.mark.parametrize("text", KEPT)
def test_versions_and_code_stay(text: str) -> None:
    assert redact(text, Identity()) == text
