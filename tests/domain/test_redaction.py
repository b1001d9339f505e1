"""User names, host names, home folders and secrets are removed from what is shared, and nothing else is."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from urllib.parse import quote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchdoctor.check import Finding, Severity
from torchdoctor.commands.dlls import DllAnalysis
from torchdoctor.commands.schema import read_schema
from torchdoctor.domain.hosts import is_distinctive
from torchdoctor.domain.redaction import Identity, redact
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.runner import Outcome
from torchdoctor.explain import explain
from torchdoctor.explain.answer import Confidence, Explanation
from torchdoctor.facts import SUBJECTS, Facts, Interpreter, subject_of
from torchdoctor.facts.codec import decode_facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.renderers import explanation, github, sarif
from torchdoctor.renderers import json as json_renderer
from torchdoctor.report import Report

SAMPLES = Path(__file__).parents[1] / "samples"
IDENTITY = Identity(r"C:\Users\Zaphod Beebl", "zbeebl", "HEARTGOLD-PC", "MAGRATHEA")
# What must not be left of the forms below: all of it is in none of the program's texts.
MARKS = (
    "zaphod", "beebl", "trillian", "marvin", "slarti", "张三", "петров", "müller", "heartgold", "magrathea",
    "vogsphere", "hunter2", "s3cr3t", "abcd1234", "iosfodnn", "20.30.40", "1c2d:3e4f", "137.12.99",
    "178.23", "3c:7c:3f", "3c-7c-3f",
)  # fmt: skip
HOMES = {
    "behind-a-written-colour": (r"\x1b[31m/home/marvin/x\x1b[0m", r"\x1b[31m/home/<user>/x\x1b[0m"),
    "behind-a-copied-colour": (r"[31mc:\users\marvin\x[0m", r"[31mc:\users\<user>\x[0m"),
    "behind-a-word-without-spaces": ("路径/home/marvin/x", "路径/home/<user>/x"),
    "drive-behind-such-a-word": (r"路径c:\users\marvin\x", r"路径c:\users\<user>\x"),
    "own": (r"C:\Users\Zaphod Beebl\x", r"C:\Users\<user>\x"),
    "own-in-prose": (r"C:\Users\Zaphod Beebl wrote this", r"C:\Users\<user> wrote this"),
    "own-in-other-case": ("c:/users/zaphod beebl/env", "c:/users/<user>/env"),
    "spaces": (r"C:\Users\Trillian Mc Marvin\env\python.exe", r"C:\Users\<user>\env\python.exe"),
    "slashes": ("C:/Users/Trillian Marvin/env", "C:/Users/<user>/env"),
    "doubled": (r"C:\\Users\\Trillian Marvin\\env", r"C:\\Users\\<user>\\env"),
    "doubled-twice": (r"C:\\\\Users\\\\Trillian Marvin\\\\env", r"C:\\\\Users\\\\<user>\\\\env"),
    "quoted": (r'"C:\Users\Trillian Marvin", line 5', r'"C:\Users\<user>", line 5'),
    "in-single-quotes": (r"['C:\Users\Trillian Marvin', 1]", r"['C:\Users\<user>', 1]"),
    "apostrophe": (r"C:\Users\O'Marvin\x", r"C:\Users\<user>\x"),
    "list": (r"C:\Users\Trillian M;C:\Users\Marvin\bin;D:\x", r"C:\Users\<user>;C:\Users\<user>\bin;D:\x"),
    "posix-list": ("/usr/bin:/home/marvin:/home/trillian/bin", "/usr/bin:/home/<user>:/home/<user>/bin"),
    "end": (r"C:\Users\Trillian Marvin", r"C:\Users\<user>"),
    "two-in-prose": (r"C:\Users\marvin and D:\Users\trillian", r"C:\Users\<user> D:\Users\<user>"),
    "lines": ("C:\\Users\\marvin\nnext\r\nC:\\Users\\marvin\r\n", "C:\\Users\\<user>\nnext\r\nC:\\Users\\<user>\r\n"),
    "prompt": (r"PS C:\Users\Trillian Marvin> python x", r"PS C:\Users\<user>> python x"),
    "short-name": (r"C:\Users\TRILLI~1\AppData\Local", r"C:\Users\<user>\AppData\Local"),
    "old-short-name": (r"C:\DOCUME~1\MARVIN~1\x", r"C:\DOCUME~1\<user>\x"),
    "chinese": (r"C:\Users\张三\x", r"C:\Users\<user>\x"),
    "cyrillic": (r"C:\Users\Иван Петров\x", r"C:\Users\<user>\x"),
    "german": (r"D:\Benutzer\Jörg Müller\x", r"D:\Benutzer\<user>\x"),
    "xp": (r"C:\Documents and Settings\Marvin\x", r"C:\Documents and Settings\<user>\x"),
    "linux": ("/home/marvin/x", "/home/<user>/x"),
    "macos": ("/Users/marvin/x", "/Users/<user>/x"),
    "wsl-drive": ("/mnt/c/Users/Trillian Marvin/x", "/mnt/c/Users/<user>/x"),
    "escaped-space": (r"/mnt/c/Users/Trillian\ Marvin/x", "/mnt/c/Users/<user>/x"),
    "git-bash": ("/c/Users/marvin", "/c/Users/<user>"),
    "cygwin": ("/cygdrive/c/Users/marvin/x", "/cygdrive/c/Users/<user>/x"),
    "var": ("/var/home/marvin/x", "/var/home/<user>/x"),
    "export": ("/export/home/marvin/x", "/export/home/<user>/x"),
    "wsl": (r"\\wsl$\Ubuntu\home\marvin\x", r"\\wsl$\Ubuntu\home\<user>\x"),
    "wsl-localhost": (r"\\wsl.localhost\Ubuntu\home\marvin", r"\\wsl.localhost\Ubuntu\home\<user>"),
    "file-url": ("file:///C:/Users/marvin/x", "file:///C:/Users/<user>/x"),
    "posix-file-url": ("file:///home/marvin/x", "file:///home/<user>/x"),
    "encoded-space": ("C:/Users/Trillian%20Marvin/x", "C:/Users/<user>/x"),
    "encoded": ("C%3A%5CUsers%5CMarvin%20T%5Cx", "C%3A%5CUsers%5C<user>%5Cx"),
    "tilde": ("~marvin/x", "~<user>/x"),
    "backup": (r"D:\Backup\Users\Marvin T\x", r"D:\Backup\Users\<user>\x"),
    "long-path": (r"\\?\C:\Users\marvin\x", r"\\?\C:\Users\<user>\x"),
    "label": ("User name: marvin", "User name: <user>"),
    "row-of-powershell": ("x\nUSERNAME               marvin\ny", "x\nUSERNAME               <user>\ny"),
    "owner-in-git": (
        "'D:/x' is owned by:\n\tMAGRATHEA/marvin\nbut the current user is:\n\tMAGRATHEA/marvin",
        "'D:/x' is owned by:\n\t<domain>/<user>\nbut the current user is:\n\t<domain>/<user>",
    ),
    "label-in-german": ("Benutzername: MAGRATHEA\\marvin", "Benutzername: <user>"),
    "label-in-chinese": ("用户名：marvin", "用户名：<user>"),
    "owner-of-a-file": ("Owner: MAGRATHEA\\marvin", "Owner: <user>"),
    "taiwan": (r"C:\使用者\marvin\x", r"C:\使用者\<user>\x"),
    "option-of-a-compiler": (r"-Ic:\\users\\marvin\\x", r"-Ic:\\users\\<user>\\x"),
    "folder-of-a-group": ("/home/ldap/marvin/x", "/home/ldap/<user>/x"),
    "inductor": ("/tmp/torchinductor_marvin/x", "/tmp/torchinductor_<user>/x"),
    "comma": (r"C:\Users\Marvin, Trillian\x", r"C:\Users\<user>\x"),
    "comma-without-space": (r"C:\Users\Marvin,Trillian\x", r"C:\Users\<user>\x"),
    "semicolon": (r"C:\Users\Marvin; Trillian\x", r"C:\Users\<user>\x"),
    "backtick": (r"C:\Users\Marvin`Trillian\x", r"C:\Users\<user>\x"),
    "dot": (r"C:\Users\.\marvin\x", r"C:\Users\.\<user>\x"),
    "dots": (r"C:\Users\Public\..\marvin\x", r"C:\Users\Public\..\<user>\x"),
    "dots-of-another": (r"C:\Users\trillian\x\..\..\marvin", r"C:\Users\<user>\x\..\..\<user>"),
    "posix-dots": ("/home/trillian/../marvin/x", "/home/<user>/../<user>/x"),
    "dollar": (r"C:\Users\$marvin\x", r"C:\Users\<user>\x"),
    "braces": (r"C:\Users\{marvin}\x", r"C:\Users\<user>\x"),
    "part": (r"D:\work\zbeebl\x", r"D:\work\<user>\x"),
    "path-end": (r"D:\projects\zbeebl", r"D:\projects\<user>"),
    "variable": ("USERNAME=zbeebl", "USERNAME=<user>"),
    "at-host": ("ssh zbeebl@HEARTGOLD-PC", "ssh <user>@<host>"),
    "include-option": ("-I/home/marvin/inc -L/home/marvin/lib", "-I/home/<user>/inc -L/home/<user>/lib"),
    "media": ("/media/marvin/disk/x", "/media/<user>/disk/x"),
    "run-media": ("/run/media/marvin/disk", "/run/media/<user>/disk"),
    "yen": ("C:¥Users¥marvin¥x", "C:¥Users¥<user>¥x"),
    "other-variable": ("USERNAME=marvin LOGNAME=trillian", "USERNAME=<user> LOGNAME=<user>"),
    "quoted-variable": ('export USER="marvin"', 'export USER="<user>"'),
    "environ-user": ("{'USERNAME': 'marvin', 'x': 1}", "{'USERNAME': '<user>', 'x': 1}"),
    "owner": ("Registered Owner:          marvin", "Registered Owner:          <user>"),
    "id": (
        "uid=1000(marvin) gid=1000(marvin) groups=1000(marvin),27(sudo)",
        "uid=1000(<user>) gid=1000(<user>) groups=1000(<user>),27(<user>)",
    ),
    "author": ("Author: Trillian M <t@vogsphere.example>", "Author: <user> <<email>>"),
    "git-config": ('git config --global user.name "Trillian M"', "git config --global user.name <user>"),
    "git-setting": ("user.name=marvin", "user.name=<user>"),
    "drive-without-a-separator": (r"C:Users\marvin\x", r"C:Users\<user>\x"),
    "prompt-with-a-comma": (r"PS C:\Users\Marvin,Trillian> python x", r"PS C:\Users\<user>> python x"),
    "posix-apostrophe": ("/home/O'Marvin/x", "/home/<user>/x"),
    "posix-comma": ("/home/marvin,trillian/x", "/home/<user>/x"),
    "posix-brackets": ("/home/Trillian (Marvin)/x", "/home/<user>/x"),
    "company": (r"C:\Users\marvin\OneDrive - Vogsphere Ltd\x", r"C:\Users\<user>\OneDrive - <company>\x"),
    "json-name": ('{"username": "marvin"}', '{"username": "<user>"}'),
    "numbered": ("/nfs/home2/marvin", "/nfs/home2/<user>"),
    "account": (r"MAGRATHEA\zbeebl", r"<domain>\<user>"),
    "two-words-in-a-variable": ("USERNAME=Trillian Marvin", "USERNAME=<user>"),
    "two-words-in-json": ('"username": "Trillian Marvin"', '"username": "<user>"'),
    "two-words-behind-a-label": ("Registered Owner: Trillian van Marvin", "Registered Owner: <user>"),
    "two-words-logged-in": ("Currently logged in as: Trillian Marvin", "Currently logged in as: <user>"),
    "home-of-a-domain": ("/home/MAGRATHEA/marvin/x", "/home/<user>/<user>/x"),
    "home-of-a-domain-with-dots": ("/home/magrathea.org/marvin/x", "/home/<user>/<user>/x"),
    "homes": (r"\\vogsphere\homes\marvin\x", r"\\<host>\homes\<user>\x"),
    "afs": ("/afs/cern.ch/user/m/marvin/x", "/afs/cern.ch/user/m/<user>/x"),
    "ls": ("-rw-r--r-- 1 marvin marvin 12 Jan 1 x", "-rw-r--r-- 1 <user> <user> 12 Jan 1 x"),
    "ls-of-a-group": ("drwxr-xr-x 2 marvin users 4096", "drwxr-xr-x 2 <user> users 4096"),
    "connection": ("Server=db;User=marvin;", "Server=db;User=<user>;"),
    "told-account": (r"denied for user MAGRATHEA\marvin, x", r"denied for user <domain>\<user>, x"),
    "profiles": (r"D:\Profiles\Trillian M\AppData\Roaming\x", r"D:\Profiles\<user>\AppData\Roaming\x"),
    "home-told-by-appdata": ("E:/marvin/AppData/Local/x", "E:/<user>/AppData/Local/x"),
    "home-told-by-appdata-doubled": (r"E:\\marvin\\AppData\\Local", r"E:\\<user>\\AppData\\Local"),
    "home-told-by-onedrive": (r"D:\marvin\OneDrive\x", r"D:\<user>\OneDrive\x"),
    "home-told-by-desktop": (r"D:\Profile\marvin\Desktop\x", r"D:\Profile\<user>\Desktop\x"),
    "pytest": ("/tmp/pytest-of-marvin/pytest-0", "/tmp/pytest-of-<user>/pytest-0"),
    "pytest-of-two-words": (r"Temp\pytest-of-Trillian M\pytest-0", r"Temp\pytest-of-<user>\pytest-0"),
    "kerberos": ("FILE:/tmp/krb5cc_marvin", "FILE:/tmp/krb5cc_<user>"),
    "getuser": ("getpass.getuser() = 'marvin'", "getpass.getuser() = '<user>'"),
    "getuser-at-a-prompt": (">>> getpass.getuser()\n'Trillian M'", ">>> getpass.getuser()\n'<user>'"),
    "whoami": (">whoami\nmagrathea\\marvin", ">whoami\n<user>"),
    "event": ("Account Name:\t\tmarvin", "Account Name:\t\t<user>"),
    "task": (r"<UserId>MAGRATHEA\marvin</UserId>", "<UserId><user></UserId>"),
    "author-of-a-task": (r"<Author>MAGRATHEA\marvin</Author>", "<Author><user></Author>"),
    "icacls": (r"C:\x magrathea\marvin:(F)", r"C:\x <domain>\<user>:(F)"),
    "postgres": (
        'password authentication failed for user "marvin"',
        'password authentication failed for user "<user>"',
    ),
    "mysql-user": ("Access denied for user 'marvin'@'localhost'", "Access denied for user '<user>'@'localhost'"),
    "wandb": ("https://wandb.ai/marvin/x/runs/a1", "https://wandb.ai/<user>/x/runs/a1"),
    "wandb-project": ("View project at https://wandb.ai/marvin/x", "View project at https://wandb.ai/<user>/x"),
    "jupyterhub": ("http://localhost/user/marvin/lab/tree", "http://localhost/user/<user>/lab/tree"),
    "home-of-two-words": ("HOME=/home/Trillian Marvin", "HOME=/home/<user>"),
    "git-setting-of-two-words": ("user.name=Trillian Marvin", "user.name=<user>"),
    "mlflow": ("mlflow.user=marvin", "mlflow.user=<user>"),
    "in-a-row": ("host=db user=marvin dbname=x", "host=db user=<user> dbname=x"),
    "last-of-a-row": ("dbname=x user=marvin", "dbname=x user=<user>"),
    "alone-in-its-line": ("[client]\nuser=marvin\nport=1", "[client]\nuser=<user>\nport=1"),
    "quoted-setting": ("connect(user='marvin', port=1)", "connect(user='<user>', port=1)"),
    "quoted-owner": ('owner = "marvin"', 'owner = "<user>"'),
    "json-owner": ('{"owner": "marvin"}', '{"owner": "<user>"}'),
    "short-label": ("User: marvin", "User: <user>"),
    "padded-label": ("User      : Marvin", "User      : <user>"),
    "logname": ("LOGNAME: marvin", "LOGNAME: <user>"),
    "logged-in": ("logged in as marvin on a host", "logged in as <user> on a host"),
    "quoted-user": ("user 'marvin' may not", "user '<user>' may not"),
    "sshd": ("Failed password for user marvin from a host", "Failed password for user <user> from a host"),
    "encoded-without-a-colon": ("x=C%5CUsers%5Cmarvin%5Cx", "x=C%5CUsers%5C<user>%5Cx"),
    "other-account": (r"VOGSPHERE\zbeebl may not", r"<domain>\<user> may not"),
}  # fmt: skip
HOSTS = {
    "pool": (
        "HTTPSConnectionPool(host='a1.vogsphere.de', port=443)",
        "HTTPSConnectionPool(host='<host>', port=443)",
    ),
    "torchelastic": ("torchelastic host      : vogsphere", "torchelastic host      : <host>"),
    "json-host": ('"hostname": "vogsphere"', '"hostname": "<host>"'),
    "kubernetes": ("NodeName: vogsphere", "NodeName: <host>"),
    "in-brackets-with-a-port": ("[vogsphere.example.de]:29500", "[<host>]:29500"),
    "no-address": ("getaddrinfo failed: vogsphere", "getaddrinfo failed: <host>"),
    "ssh-port": ("connect to vogsphere port 22", "connect to <host> port 22"),
    "git-of-a-company": ("git@vogsphere.de:a/b.git", "git@<host>:a/b.git"),
    "nccl": ("NCCL_COMM_ID=vogsphere:1234", "NCCL_COMM_ID=<host>:1234"),
    "redis": ("TORCHINDUCTOR_REDIS_HOST=vogsphere", "TORCHINDUCTOR_REDIS_HOST=<host>"),
    "roaming-profile": ("USERDOMAIN_ROAMINGPROFILE=VOGSPHERE", "USERDOMAIN_ROAMINGPROFILE=<host>"),
    "unc": (r"\\vogsphere\data\x", r"\\<host>\data\x"),
    "unc-home": (r"\\vogsphere\share$\marvin\x", r"\\<host>\share$\<user>\x"),
    "unc-users": (r"\\vogsphere\users\Trillian M\x", r"\\<host>\users\<user>\x"),
    "unc-drive": (r"\\vogsphere\c$\Users\marvin\x", r"\\<host>\c$\Users\<user>\x"),
    "unc-doubled": (r"'\\\\vogsphere\\data\\x'", r"'\\\\<host>\\data\\x'"),
    "unc-read-by-explain": (r"\vogsphere\share$\marvin\x", r"\<host>\share$\<user>\x"),
    "unc-long": (r"\\?\UNC\vogsphere\data", r"\\?\UNC\<host>\data"),
    "unc-slashes": ("//vogsphere/data/x", "//<host>/data/x"),
    "own": ("on HEARTGOLD-PC now", "on <host> now"),
    "lower-case": ("heartgold-pc", "<host>"),
    "suffix": ("heartgold-pc.vogsphere.example: refused", "<host>: refused"),
    "port": ("connect to [HEARTGOLD-PC]:29500", "connect to [<host>]:29500"),
    "variables": ("COMPUTERNAME=VOGSPHERE HOSTNAME=vogsphere", "COMPUTERNAME=<host> HOSTNAME=<host>"),
    "logon": (r"LOGONSERVER=\\VOGSPHERE", r"LOGONSERVER=\\<host>"),
    "master": ("MASTER_ADDR=vogsphere.example", "MASTER_ADDR=<host>"),
    "rendezvous": (
        "failed to connect to [vogsphere.corp.local]:29500",
        "failed to connect to [<host>]:29500",
    ),
    "tcp": ("tcp://vogsphere:29500", "tcp://<host>:29500"),
    "row-of-powershell": ("x\nCOMPUTERNAME           VOGSPHERE\ny", "x\nCOMPUTERNAME           <host>\ny"),
    "addresses": (
        "[c10d] The IPv6 network addresses of (vogsphere, 29500) cannot be retrieved",
        "[c10d] The IPv6 network addresses of (<host>, 29500) cannot be retrieved",
    ),
    "ping": ("Pinging vogsphere [::1] with", "Pinging <host> [::1] with"),
    "file-of-tensorboard": (
        "events.out.tfevents.1712345678.vogsphere.4242.0",
        "events.out.tfevents.1712345678.<host>",
    ),
    "red-hat-shell": ("[marvin@vogsphere x]$ python", "[<user>@<host> x]$ python"),
    "made-up": ("on DESKTOP-ABCD123 now", "on <host> now"),
    "made-up-laptop": ("LAPTOP-ABCD1234.local: refused", "<host>: refused"),
    "made-up-server": ("win-abcd1234abc", "<host>"),
    "made-up-without-digit": ("(DESKTOP-IOSFODN)", "(<host>)"),
    "environ": ("environ({'COMPUTERNAME': 'VOGSPHERE'})", "environ({'COMPUTERNAME': '<host>'})"),
    "quoted-variable": ('HOSTNAME="vogsphere"', 'HOSTNAME="<host>"'),
    "label": ("Hostname: VOGSPHERE", "Hostname: <host>"),
    "label-in-russian": ("Имя узла:      VOGSPHERE", "Имя узла:      <host>"),
    "label-of-powershell": ("PSComputerName : VOGSPHERE", "PSComputerName : <host>"),
    "gloo": ("connectFullMesh failed with [VOGSPHERE]:5000", "connectFullMesh failed with [<host>]:5000"),
    "bound": ("failed to bind to VOGSPHERE:29500", "failed to bind to <host>:29500"),
    "platform": (
        "uname_result(system='Windows', node='VOGSPHERE'",
        "uname_result(system='Windows', node='<host>'",
    ),
    "git-bash-uname": ("MINGW64_NT-10.0-19045 VOGSPHERE 3.4", "MINGW64_NT-10.0-19045 <host> 3.4"),
    "mpi-within-a-line": (
        "x [vogsphere:12345] *** Process received signal",
        "x [<host>:12345] *** Process received signal",
    ),
    "mpi-node": ("PID 12 on node vogsphere exited on signal", "PID 12 on node <host> exited on signal"),
    "nccl-within-a-line": ("x vogsphere:72:73 [0] NCCL WARN x", "x <host>:72:73 [0] NCCL WARN x"),
    "slurm": ("*** JOB 12 ON vogsphere CANCELLED", "*** JOB 12 ON <host> CANCELLED"),
    "slurm-variable": ("SLURM_JOB_NODELIST=vogsphere", "SLURM_JOB_NODELIST=<host>"),
    "uname-within-a-line": ("x Linux vogsphere 5.15.0-91 #1 SMP", "x Linux <host> 5.15.0-91 #1 SMP"),
    "account-of-a-machine": ("MAGRATHEA\\VOGSPHERE$ may not", "<domain>\\<host>$ may not"),
    "proxy-host": ("HTTP_PROXY=vogsphere:3128", "HTTP_PROXY=<host>:3128"),
    "trusted-host": ("--trusted-host vogsphere", "--trusted-host <host>"),
    "url-of-a-host": ("http://vogsphere:8080/x", "http://<host>:8080/x"),
    "url-in-a-network": ("https://vogsphere.magrathea.internal/x", "https://<host>/x"),
    "host-in-a-network": ("vogsphere.local:8080", "<host>:8080"),
    "unc-behind-an-option": (r"/LIBPATH:\\vogsphere\share\x", r"/LIBPATH:\\<host>\share\x"),
    "unc-device": (r"\\.\UNC\vogsphere\share\x", r"\\.\UNC\<host>\share\x"),
    "unc-device-with-slashes": ("//./UNC/vogsphere/share/x", "//./UNC/<host>/share/x"),
    "unc-in-a-url": ("file:////vogsphere/share/x", "file:////<host>/share/x"),
    "option-master-addr": ("--master_addr=vogsphere", "--master_addr=<host>"),
    "option-with-space": ("--master-addr vogsphere.x", "--master-addr <host>"),
    "option-rdzv": ("--rdzv-endpoint=vogsphere:29500", "--rdzv-endpoint=<host>:29500"),
    "systeminfo-in-german": (
        "Hostname:        VOGSPHERE\nBetriebssystemname:     Microsoft Windows 11 Pro\n"
        "a:   1\nb:   2\nc:   3\nd:   4\nRegistrierter Benutzer:   Marvin T\nRegistrierte Organisation:   Magrathea\n"
        "Anmeldeserver:    \\\\VOGSPHERE",
        "Hostname:        <host>\nBetriebssystemname:     Microsoft Windows 11 Pro\n"
        "a:   1\nb:   2\nc:   3\nd:   4\nRegistrierter Benutzer:   <user>\nRegistrierte Organisation:   <company>\n"
        "Anmeldeserver:    \\\\<host>",
    ),
    "systeminfo": ("Host Name:                 VOGSPHERE", "Host Name:                 <host>"),
    "systeminfo-server": (r"Logon Server:              \\VOGSPHERE", r"Logon Server:              \\<host>"),
    "unc-behind-a-colon": (r"No such file:\\vogsphere\data\x", r"No such file:\\<host>\data\x"),
    "unc-in-brackets": (r"<\\vogsphere\data\x>", r"<\\<host>\data\x>"),
    "unc-at-a-prompt": (r"C:\x>\\vogsphere\data\x.exe", r"C:\x>\\<host>\data\x.exe"),
    "zsh": ("marvin@vogsphere ~ % python", "<user>@<host> ~ % python"),
    "git-bash": ("marvin@VOGSPHERE MINGW64 ~/x (main)", "<user>@<host> MINGW64 ~/x (main)"),
    "ssh": ("ssh marvin@vogsphere", "ssh <user>@<host>"),
    "shell": ("(base) marvin@vogsphere:~/x$ python", "(base) <user>@<host>:~/x$ python"),
}
ADDRESSES = {
    "torch": ("failed to connect to [10.20.30.40]:29500", "failed to connect to [<host>]:29500"),
    "torch-ipv6": ("connect to [fe80::1c2d:3e4f%12]:29500", "connect to [<host>]:29500"),
    "torch-mapped": ("connect to [::ffff:10.20.30.40]:29500", "connect to [<host>]:29500"),
    "long-ipv6": ("[2003:e1:7f12:aa00:1c2d:3e4f:5a6b:7c8d]:80", "[<host>]:80"),
    "words": ("cannot connect to 84.137.12.99 now", "cannot connect to <host> now"),
    "url": ("http://10.20.30.40:7860/", "http://<host>:7860/"),
    "tcp": ("init_method='tcp://10.20.30.40:23456'", "init_method='tcp://<host>:23456'"),
    "option": ("--master_addr=10.20.30.40", "--master_addr=<host>"),
    "port": ("server at 10.20.30.40:8786", "server at <host>:8786"),
    "ssh": ("ssh root@10.20.30.40", "ssh <user>@<host>"),
    "home": ("gateway 192.168.178.23", "gateway <host>"),
    "link": ("inet6 fe80::1c2d:3e4f:5a6b:7c8d%12", "inet6 <host>"),
    "mac": ("ether 3c:7c:3f:aa:bb:cc", "ether <host>"),
    "mac-of-windows": ("3C-7C-3F-AA-BB-CC", "<host>"),
}  # fmt: skip
SECRETS = {
    "full-width": ("password＝hunter2", "password＝<secret>"),
    "tabs": ("password\t=\thunter2", "password\t=\t<secret>"),
    "copied-colours": ("[1mpassword[0m=[32mhunter2[0m", "[1mpassword[0m=[32m<secret>[0m"),
    "written-colour": (r"\x1b[32mhf_abcd1234abcd1234\x1b[0m", r"\x1b[32m<secret>\x1b[0m"),
    "mysql": ("mysql -u root -phunter2 db", "mysql -u root -p<secret> db"),
    "podman": ("podman login -u x -p hunter2 host.org", "podman login -u x -p <secret> host.org"),
    "twine": ("twine upload -u x -p hunter2 y", "twine upload -u x -p <secret> y"),
    "putty": ("plink -ssh x -pw hunter2", "plink -ssh x -pw <secret>"),
    "net-user": ("net user x hunter2 /add", "net user x <secret> /add"),
    "cmdkey": ("cmdkey /add:x /user:y /pass:hunter2", "cmdkey /add:x /user:y /pass:<secret>"),
    "nuget": (
        '<add key="ClearTextPassword" value="hunter2" />',
        '<add key="ClearTextPassword" value="<secret>" />',
    ),
    "telegram": ("https://a.org/bot123456789:abcd1234abcd/x", "https://a.org/bot123456789:<secret>/x"),
    "email-in-a-url": ("x?by=trillian%40vogsphere.example", "x?by=<email>"),
    "private-key": (
        "-----BEGIN RSA PRIVATE KEY-----\nabcd1234\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----<secret>\n\n-----END RSA PRIVATE KEY-----",
    ),
    "quoted-command": ('"docker login -u x -p hunter2" failed', '"docker login -u x -p <secret>" failed'),
    "quoted-cookie": ("'Cookie: a=\"abcd1234\"; b=c' failed", "'Cookie: <secret>' failed"),
    "environ": ('os.environ["WANDB_API_KEY"]="abcd1234abcd"', 'os.environ["WANDB_API_KEY"]="<secret>"'),
    "setx": ("setx WANDB_API_KEY abcd1234abcd", "setx WANDB_API_KEY <secret>"),
    "key-variable": ("KAGGLE_KEY=abcd1234abcd", "KAGGLE_KEY=<secret>"),
    "bytes": ("authkey=b'hunter2-s3cr3t'", "authkey=b'<secret>'"),
    "brackets": ("password=[hunter2]", "password=[<secret>]"),
    "arrow": ("password => hunter2", "password => <secret>"),
    "element": ("<password>hunter2</password>", "<password><secret></password>"),
    "entity": ("password&quot;: &quot;hunter2&quot;", "password&quot;: &quot;<secret>&quot;"),
    "in-words": ("Password is hunter2", "Password is <secret>"),
    "camel-case": ("clientSecret: hunter2-S3cr3t", "clientSecret: <secret>"),
    "german": ("Kennwort: hunter2", "Kennwort: <secret>"),
    "chinese": ("密码：hunter2", "密码：<secret>"),
    "setx-token": ("setx TOKEN hunter2S3cr3t", "setx TOKEN <secret>"),
    "dockerfile": ("ENV API_KEY hunter2S3cr3t", "ENV API_KEY <secret>"),
    "wandb": ("wandb login hunter2hunter2", "wandb login <secret>"),
    "curl-user": ("curl --user u:hunter2 x", "curl --user u:<secret> x"),
    "net-use": (
        r"net use Z: \\vogsphere\x hunter2 /user:u",
        r"net use Z: \\<host>\x <secret> /user:u",
    ),
    "kaggle": ('{"username":"u","key":"hunter2"}', '{"username":"<user>","key":"<secret>"}'),
    "sendgrid": ("SG.abcd1234abcd1234.abcd1234abcd1234abcd", "<secret>"),
    "groq": ("gsk_abcd1234ABCDabcd1234", "<secret>"),
    "random": ("got Abcd1234efGHij5678klMN90opQR here", "got <secret> here"),
    "joined-variable": ("PGPASSWORD=hunter2", "PGPASSWORD=<secret>"),
    "login": ("wandb login abcd1234abcd1234abcd1234abcd1234abcd1234", "wandb login <secret>"),
    "login-call": ('wandb.login(key="abcd1234abcd1234abcd1234")', 'wandb.login(key="<secret>")'),
    "cookie": ("Cookie: session=abcd1234; x=y", "Cookie: <secret>"),
    "conda-token": (
        "https://conda.anaconda.org/t/ab-abcd1234/me",
        "https://conda.anaconda.org/t/<secret>/me",
    ),
    "netrc": ("machine host.org login marvin password hunter2", "machine host.org login <secret>"),
    "curl": ("curl -s -u marvin:hunter2 https://host.org", "curl -s -u <secret> https://host.org"),
    "docker": ("docker login -u x -p hunter2", "docker login -u x -p <secret>"),
    "proxy": ("HTTP_PROXY=marvin:hunter2@proxy.org:8080", "HTTP_PROXY=<secret>@proxy.org:8080"),
    "npm-auth": ("//registry.org/:_authToken=abcd1234abcd", "//<host>/:_authToken=<secret>"),
    "slack-hook": (
        "https://hooks.slack.com/services/T0/B0/abcd1234",
        "https://hooks.slack.com/services/<secret>",
    ),
    "databricks": ("dapi" + "abcd1234" * 4, "<secret>"),
    "replicate": ("r8_" + "abcd1234" * 4 + "abcde", "<secret>"),
    "mailgun": ("key-" + "abcd1234" * 4, "<secret>"),
    "query-key": ("https://host.org/x?key=abcd1234", "https://host.org/x?key=<secret>"),
    "pass": ("db_pass=hunter22", "db_pass=<secret>"),
    "passwd": ("passwd hunter22", "passwd <secret>"),
    "google": ("ya29.abcd1234abcd1234", "<secret>"),
    "stripe": ("sk_" + "live_abcd1234abcd", "<secret>"),
    "url": ("https://marvin:hunter2@host.org/simple", "https://<secret>@host.org/simple"),
    "url-token": ("https://s3cr3t@host.org/", "https://<secret>@host.org/"),
    "query": ("https://host.org/x?a=1&token=s3cr3tabc&b=2", "https://host.org/x?a=1&token=<secret>&b=2"),
    "hugging-face": ("with hf_abcd1234abcd", "with <secret>"),
    "github": ("ghp_abcd1234abcd1234", "<secret>"),
    "github-new": ("github_pat_11AA_abcd1234", "<secret>"),
    "openai": ("sk-proj-abcd1234abcd", "<secret>"),
    "aws": ("AKIAIOSFODNN7EXAMPLE", "<secret>"),
    "gitlab": ("glpat-abcd1234", "<secret>"),
    "bearer": ("Authorization: Bearer abcd1234.x", "Authorization: Bearer <secret>"),
    "jwt": ("eyJhbGciOi.eyJabcd1234.abcd1234", "<secret>"),
    "password": ("password=hunter2, x", "password=<secret>, x"),
    "json": ('{"api_key": "abcd1234", "x": 1}', '{"api_key": "<secret>", "x": 1}'),
    "variable": ("WANDB_API_KEY=abcd1234", "WANDB_API_KEY=<secret>"),
    "flag": ("login --token hunter2 -v", "login --token <secret> -v"),
    "colon": ("Password: hunter2", "Password: <secret>"),
    "quoted": ("password='hunter2 s3cr3t'", "password='<secret>'"),
    "email": ("by Trillian.M@vogsphere.example.", "by <email>."),
}
FORMS = {f"{kind}-{name}": form for kind, forms in (("home", HOMES), ("host", HOSTS), ("address", ADDRESSES), ("secret", SECRETS))
         for name, form in forms.items()}  # fmt: skip
TEXTS = tuple(text for text, _ in FORMS.values())
ALL_FORMS = "\n".join(TEXTS)
KEPT = (
    "User: What is it?", "USER: Hello", "User: hi", "user=user)", "f(user=marvin, x=1)", "    user=marvin,", "# split -> user=multiple", "user=args.user",
    "owner='pytorch'", "owner=self, source=source", "def f(owner: str, name: str)", "owner: VariableTracker,", "logged in as an administrator",
    "logged in as root", "the user 'input' is", "?user=FZuNgqIAAAAJ&hl=en", "for user code", "user: x", "self.owner = owner", "$user=$env:USERNAME",
    "user: hello", "user:  is it there?", "<UserId>S-1-5-18</UserId>", r"NT AUTHORITY\SYSTEM:(F)", r"BUILTIN\Administrators:(OI)(CI)(F)",
    r"C:\Windows\System32\config\systemprofile\AppData\Local\x", r"D:\data\OneDrive\x", r"D:\OneDrive\x", r"C:\Windows\Desktop",
    r"Local\Microsoft\OneDrive\OneDrive.exe", r"%USERPROFILE%\AppData\Local", r"~\AppData\Local", "src/AppData.cs", "/tmp/krb5cc_1000",
    "/tmp/pytest-of-root/x", "https://wandb.ai/authorize", "https://wandb.ai/site/research", "/user/settings", "for user 'root'@'localhost'", "Account Name:  SYSTEM",
    "os.getlogin() failed", "getpass.getuser()", "whoami is a command", "Profiles/x.json", "failed for user code",
    "HTTPSConnectionPool(host='huggingface.co', port=443)", "connect to download.pytorch.org port 443", "git@github.com:a/b.git",
    "-rw-r--r-- 1 root root 12 Jan 1 x", '"host": "0.0.0.0"', "[train.py]:2950",
    "https://例え.jp/home/page", "https://x/例/home/page", "site/home/page", "arr[0m/s] token: 5",
    r"C:\Users\Public\x", r"C:\Users\<user>\AppData\Local", r"C:\Users\%USERNAME%\x", r"C:\Users\Default User\x",
    r"C:\Users\Public is shared", r"C:\Python311\Lib\site-packages\torch\lib\shm.dll", "torch 2.8.0+cu128",
    "https://docs.pytorch.org/docs/stable/data.html", "https://github.com/pytorch/pytorch/issues/1",
    "https://download.pytorch.org/whl/cu126", "git+https://git@github.com/pytorch/pytorch", "torch~=2.8",
    "cudart 10.1.243.0", "Windows 10.0.19045.3", "nvcc: 12.4.131.0, next", "http://localhost:8080/", "http://127.0.0.1:7860",
    "[127.0.0.1]:29500", "[::1]:29500", "bind to an IPv6 address", "converge to [indexer, x]", "x[1:2:3]:4", "threading.local",
    "torch.distributed.run --master-port 1234", "00:11:22.333", "12:34:56:78", "0000:3B:00.0", "net user /?", "mysql -p db",
    "pip -p 3.11", "mkdir -p x", "python -m x -p 8000", "Linux 5.15.0 is old", "rank 0 on node 3", "[rank0]: x", "x = torch.home/2",
    "/home/", "hostname: str", "proxy=None", "C:x/users.py", "left over: ~orch, ~orch-2.3.1.dist-info", "numpy@1.26.4", "/opt/python@3.11/bin", "driver-model",
    r"C:\app\users\views.py", "/usr/lib/python3/dist-packages/django/users/models.py", r"C:\\a\\lib\\x.dll",
    r"HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet", r"NT AUTHORITY\SYSTEM", r"\\.\pipe\x", r"\\?\C:\x",
    "memcpy@GLIBC_2.2.5", "?aged@c10@@YAXXZ", "hf_hub_download", "train_hf_wav2vec2_k2.yaml", "sk-learn-contrib", "pad_token: 5, token: str",
    "unexpected token: indent", "PWD=/opt/x", "tokenizer=abc", "https://api.github.com/users/x/repos",
    "role: 'user', 'user': {", "numpy@1.26.4 is 50 % faster", r"C:\Users\<user>\OneDrive\x", "Domain: vision", r"C:\\Users\\<user>\\env",
    "def f(token=None, password=None)", "basic functionality", "bearer tokens", r"\Device\HarddiskVolume1", r"\Windows\System32",
    r"\torch\lib\c10.dll", r"'\u5f20\u4e09'", r"\d+\.\w+", r"(\s\S)",
    r"C:\Users\$USER\x", r"C:\Users\${env:USERNAME}\x", r"C:\Users\{user}\x", r"C:\Users\{}\x", r"C:\Users\..\x",
    r"C:\Users\Public, D:\x", r"C:\Users\Public;\Windows\System32", "DESKTOP-RELEASE", "win-installers", "laptop-computers",
    "two_pass=2", "2 passed", "the password must be changed", "key-value", "x[key=1]", "f(key=lambda x: x)", "first_pass=done",
    r"C:\Windows\System32\msvcp140.dll;C:\Program Files\Git\cmd", "C:\\", "", "/", "~", "~/x", "/home/", "/root/x",
)  # fmt: skip
# A machine and its user can be called like this.
WORDS = (
    "torch",
    "python",
    "user",
    "site-packages",
    "lib",
    "windows",
    "driver-model",
    "docs",
    "cu128",
    "numpy",
)


def _find_marks(text: str) -> list[str]:
    lowered = text.lower()
    spellings = {mark: (mark, json.dumps(mark)[1:-1], quote(mark).lower()) for mark in MARKS}
    return [mark for mark, forms in spellings.items() if any(form in lowered for form in forms)]


def _validate(text: str, name: str) -> None:
    jsonschema.validate(json.loads(text), json.loads(read_schema(name).text))


@pytest.mark.parametrize(("text", "shared"), FORMS.values(), ids=FORMS)
def test_hides(text: str, shared: str) -> None:
    assert IDENTITY.redact(text) == shared


@pytest.mark.parametrize("text", TEXTS, ids=FORMS)
def test_hides_within_a_text(text: str) -> None:
    surroundings = ['{}', '"{}"', "'{}'", "({})", "at {}", "{}, line 5", "x={}", "{}\nnext", "{}\tx", "`{}`"]  # fmt: skip
    shared = [IDENTITY.redact(around.format(text)) for around in surroundings]
    assert _find_marks("".join(shared)) == []


@given(
    st.sampled_from(("\n", " ", "; ", ", ", '" "', "\t")),
    st.lists(st.sampled_from((*TEXTS, *KEPT, *" \n;\"'/\\:@=", "C:", "Users")), max_size=6),
)
def test_is_idempotent_and_keeps_the_lines(between: str, texts: list[str]) -> None:
    text = between.join(texts)
    shared = IDENTITY.redact(text)
    assert (IDENTITY.redact(shared), shared.count("\n")) == (shared, text.count("\n"))


@pytest.mark.parametrize("text", KEPT)
@pytest.mark.parametrize("identity", [IDENTITY, *(Identity("", word, word) for word in WORDS)], ids=str)
def test_keeps_what_looks_bad(text: str, identity: Identity) -> None:
    assert identity.redact(text) == text


def test_word_of_the_program_is_hidden_where_a_host_stands() -> None:
    text = r"torch: \\torch\x, http://torch:8080/, me@torch, host=torch, [torch]:29500, https://torch.org"
    shared = (
        r"torch: \\<host>\x, http://<host>:8080/, me@<host>, host=<host>, [<host>]:29500, https://torch.org"
    )
    assert Identity("", "", "torch").redact(text) == shared


def test_user_named_like_a_folder_is_hidden_in_the_home_folder() -> None:
    assert Identity("/home/torch", "torch").redact("/home/torch/torch/lib") == "/home/<user>/torch/lib"


def test_own_home_elsewhere_is_hidden_in_every_spelling() -> None:
    text = "D:\\me\\x d:/me/x D:\\\\me\\\\x D%3A%5Cme /d/me/x D:\\men \\D:\\me"
    assert Identity("D:\\me").redact(text) == "~\\x ~/x ~\\\\x ~ ~/x D:\\men \\~"


def test_names_of_checks_and_facts_are_the_programs_own_words() -> None:
    knowledge, _ = load_knowledge()
    names = {*knowledge.entries, *(entry.family for entry in knowledge.entries.values())}
    names |= {confidence.value for confidence in Confidence} | {*map(subject_of, SUBJECTS)}
    names |= {name for fact in SUBJECTS for name in getattr(fact, "__slots__", ())}
    names |= set(_list_evidence_keys())
    assert [name for name in sorted(names) if is_distinctive(name)] == [], "add their words to own_words.txt"


def _list_evidence_keys() -> Iterator[str]:
    files = (SAMPLES.parents[1] / "checks").rglob("*.py")
    for node in (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))):
        if isinstance(node, ast.keyword) and node.arg == "evidence" and isinstance(node.value, ast.Dict):
            yield from (key.value for key in node.value.keys if isinstance(key, ast.Constant))


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
    assert _find_marks(output) == []


def test_redacted_facts_can_be_read(plant) -> None:
    facts = redact(plant(Facts, ALL_FORMS), IDENTITY)
    output = json_renderer.render_facts(facts, "1", "2026-01-01T00:00:00+00:00")
    _validate(output, "facts")
    assert decode_facts(json.loads(output)) == facts


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
@pytest.mark.parametrize("text", [*TEXTS, ALL_FORMS], ids=[*FORMS, "all"])
def test_nothing_is_left_in_a_report(form: str, text: str, plant) -> None:
    render = {"json": json_renderer.render_all, "sarif": sarif.render_all, "github": github.render_all}[form]
    report = redact(plant(Report, text), IDENTITY, (Knowledge,))
    assert _find_marks(render((report, report))) == []


def test_redacted_outputs_satisfy_their_schemas(plant) -> None:
    report = redact(plant(Report, ALL_FORMS), IDENTITY, (Knowledge,))
    _validate(json_renderer.render(report), "report")
    _validate(_render_explanation(plant, ALL_FORMS), "explanation")
    _validate(_render_plan(plant, ALL_FORMS), "loader")


def _render_explanation(plant, text: str) -> str:
    return explanation.render_json(redact(plant(Explanation, text), IDENTITY))


def _render_plan(plant, text: str) -> str:
    return json_renderer.render_plan(redact(plant(LoaderPlan, text), IDENTITY), "1")


def _render_dlls(plant, text: str) -> str:
    analysis = redact(plant(DllAnalysis, text), IDENTITY, (Knowledge,))
    return json_renderer.render_dlls(analysis.closure, analysis.outcomes, analysis.knowledge, "1")


@pytest.mark.parametrize("render", [_render_explanation, _render_plan, _render_dlls])
@pytest.mark.parametrize("text", [*TEXTS, ALL_FORMS], ids=[*FORMS, "all"])
def test_nothing_is_left_in_other_outputs(render, text: str, plant) -> None:
    assert _find_marks(render(plant, text)) == []


def _explain_loading(path: str) -> str:
    knowledge, _ = load_knowledge()
    text = (
        f'OSError: [WinError 126] The specified module could not be found. Error loading "{path}" or one of'
    )
    explained = explain(f"{text} its dependencies.", knowledge)
    # What was a credential is no path any more.
    assert "path" in explained.values or "<secret>" in str(explained.diagnoses)
    return explanation.render_json(redact(explained, IDENTITY))


@pytest.mark.parametrize("text", [text for text in TEXTS if not set(text) & set('"\n{')])
def test_nothing_is_left_in_what_is_read_from_a_text(text: str) -> None:
    assert _find_marks(_explain_loading(text)) == []


# Names that are words of this program, or no words at all.
@pytest.mark.parametrize("server", ["nas", "nas01", "DC", "server", "my-nas", "10.1.2.3"])
@pytest.mark.parametrize("times", [1, 2, 4])
def test_server_is_hidden_in_what_is_read_from_a_text(server: str, times: int) -> None:
    path = rf"\\{server}\proj\torch\lib\shm.dll".replace("\\", "\\" * times)
    values = json.loads(_explain_loading(path))["values"]
    assert values["path"] == r"\\<host>\proj\torch\lib\shm.dll"


def test_user_of_hugging_face_is_hidden() -> None:
    assert IDENTITY.redact("user:  Trillian M\norgs:  a,b") == "user:  <user>\norgs:  a,b"


def test_key_that_only_begins_is_hidden() -> None:
    assert IDENTITY.redact("-----BEGIN PRIVATE KEY-----") == "-----BEGIN PRIVATE KEY-----<secret>"


def test_secret_variable_is_hidden_whole() -> None:
    variables = (("TORCH_TOKEN", "x y"), ("PYTHONPATH", "C:\\x"), ("CUDA_KEYRING", "a"))
    assert redact(variables, Identity())[0] == ("TORCH_TOKEN", "<secret>")


@pytest.mark.parametrize("text", TEXTS, ids=FORMS)
def test_nothing_is_left_in_a_key(text: str) -> None:
    outcome = Outcome("a-check", "failed", Severity.NOTE, (Finding("a", evidence={text: {text: text}}),))
    assert _find_marks(str(redact(outcome, IDENTITY))) == []


def test_keys_that_become_the_same_keep_their_values() -> None:
    shared = redact({"/home/marvin": 1, "/home/trillian": 2, "/home/<user>": 3}, IDENTITY)
    assert sorted(shared.values()) == [1, 2, 3] and _find_marks(str(shared)) == []


def test_variable_is_hidden_by_its_name() -> None:
    variables = (("TORCHINDUCTOR_REDIS_HOST", "vogsphere.de"), ("TORCHINDUCTOR_REDIS_USERNAME", "marvin"),
                 ("NCCL_COMM_ID", "vogsphere:1234"), ("MASTER_ADDR", "vogsphere"), ("TORCH_LOGS", "dynamo"))  # fmt: skip
    shown = [value for _, value in redact(variables, Identity())]
    assert shown == ["<host>", "<user>", "<host>:1234", "<host>", "dynamo"]


def test_secret_is_hidden_behind_a_key_that_names_it() -> None:
    assert redact({"HF_TOKEN": "abc"}, IDENTITY) == {"HF_TOKEN": "<secret>"}


def test_keeps_values_that_are_not_text() -> None:
    assert redact({"a": (1, None, True, 2.5)}, IDENTITY) == {"a": (1, None, True, 2.5)}


def test_hides_in_paths_and_sets() -> None:
    value = (PureWindowsPath(r"C:\Users\marvin\x"), frozenset({"/home/marvin"}))
    assert _find_marks(str(redact(value, IDENTITY))) == []


def test_record_keeps_its_type() -> None:
    interpreter = Interpreter(
        r"C:\Users\Marvin\p.exe", "3.12.4", "CPython", 64, "x64", "win-amd64", "a", "b", "c",
        import_path=(r"C:\Users\Marvin\lib",),
    )  # fmt: skip
    shared = redact(interpreter, IDENTITY)
    assert (shared.executable, shared.import_path) == (r"C:\Users\<user>\p.exe", (r"C:\Users\<user>\lib",))
