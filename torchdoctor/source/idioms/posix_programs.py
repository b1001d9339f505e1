"""Programs that a command of Linux names, and that Windows lacks, by what stands in their place in Python.

None of these is listed: what is part of Windows 10 and 11 (curl, tar, ssh, scp, find, sort, more, tree,
timeout; https://learn.microsoft.com/windows-server/administration/windows-commands/windows-commands), and
what is installed under the same name (git, ffmpeg, nvidia-smi).
"""

import re
from collections.abc import Iterator

# The tag of a step in the entry, and the programs that it replaces.
_BY_STEP = {
    "shell": "rm cp mv chmod chown touch ln unzip zip gunzip gzip bunzip2 bzip2 unxz xz rsync dd mktemp stty",
    "listing": "ls",
    "download": "wget",
    "text": "cat tac sed awk gawk grep egrep fgrep zgrep zcat head tail wc cut tr tee xargs uniq paste diff",
    "script": "bash sh zsh",
    "processes": "kill pkill killall pgrep ps nohup parallel top htop pidof lsof fuser sleep tmux screen",
    "machine": "free df du lscpu lspci lsblk uname nproc which stat md5sum sha1sum sha256sum sha512sum",
    "syntax": "env export unset source",
    "linux-program": "apt apt-get dpkg yum mount umount systemctl ldconfig modprobe taskset numactl ulimit",
}
# What cmd has as a command of its own, so that it is no program.
SHELL_COMMANDS = frozenset({"mkdir", "rmdir", "echo"})
PROGRAM_STEPS = {
    **{program: step for step, programs in _BY_STEP.items() for program in programs.split()},
    **dict.fromkeys(SHELL_COMMANDS, "shell"),
}

_ALL = "|".join(sorted(PROGRAM_STEPS))
_FOLDER = r"(?:/(?:usr/)?(?:local/)?s?bin/)?"
_QUOTED = rf"""[\[(=]\s*[fr]?['"](?:sudo['"]?,? *['"]?)?{_FOLDER}(?:{_ALL})"""
# Programs stand at the start of a command, or behind ; & | and assignments. {} is not known.
_PROGRAM = re.compile(
    rf"(?:^|[;&|\n]|\$\()\s*(?:sudo\s+)?(?:[A-Za-z_]\w*=\S*\s+)*{_FOLDER}({_ALL})(?=\s|$|[;&|)])"
)
# What the shell hands on as it is: "a | b" of another program.
_QUOTED_TEXT = re.compile(r'(?<!\\)"[^"\n]*"')
# What only a POSIX shell understands, with its name in a message.
_SYNTAX = (
    ("the path /dev/null", re.compile(r"/dev/null\b")),
    ("the assignment {}= before a command", re.compile(r"(?:^|[;&|])\s*([A-Za-z_]\w*)=\S*\s+\w")),
    ("the quoting with single quotes", re.compile(r"(?<=[\s=])'[^'\n]*'(?=\s|$)")),
)
# The bytes of a program that is the first item of a list or an argument, alone and with what it is given.
QUOTED_PROGRAM = re.compile(rf"""{_QUOTED}['"]""".encode())
QUOTED_COMMAND = re.compile(f"{_QUOTED} ".encode())


def describe_missing_part(command: str, runs_shell: bool | None) -> str | None:
    """Return what a command has that Windows lacks, a program or the syntax of a shell; None if it has none.

    `runs_shell` says whether a shell reads the command, None if that is not known.
    """
    command = _QUOTED_TEXT.sub('""', command)
    for name in (match[1] for match in _PROGRAM.finditer(command)):
        if name not in SHELL_COMMANDS:
            return f'the command "{name}"'
        if runs_shell is False:
            return f'the program "{name}"'
    return next(_find_syntax(command), None) if runs_shell else None


def _find_syntax(command: str) -> Iterator[str]:
    for name, pattern in _SYNTAX:
        if (match := pattern.search(command)) is not None:
            yield name.format(*match.groups())
