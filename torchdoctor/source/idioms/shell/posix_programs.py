"""Programs that a command of Linux names, and that Windows lacks, by what stands in their place in Python.

None of these is listed: what is part of Windows 10 and 11 (curl, tar, ssh, scp, more, tree, timeout;
https://learn.microsoft.com/windows-server/administration/windows-commands/windows-commands), and
what is installed under the same name (git, ffmpeg, nvidia-smi). The programs `find` and `sort` of Windows
do something else, or take other options, so that only the options of Linux tell the two apart.
"""

import re
from collections.abc import Iterator

# The tag of a step in the entry, and the programs that it replaces.
_BY_STEP = {
    "shell": "rm cp mv chmod chown touch ln rsync dd mktemp stty",
    "archive": "zip unzip gzip gunzip bzip2 bunzip2 xz unxz",
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

# Options that a program of Linux takes, and the one that Windows has by its name does not, by that name.
_OPTIONS = {
    "find": (
        "i?name|i?path|i?regex|type|delete|exec|execdir|ok|maxdepth|mindepth|print0?|printf|prune|empty|size|newer"
        "|perm|user|group|links|[acm](?:time|min)|follow|depth|xdev|mount"
    ),
    # Left out are -r and -o alone, which Windows has as /R and /O.
    "sort": r"[ro]*[bdfghikmnstuVz][\w.,]*",
}

_ALL = "|".join(sorted(PROGRAM_STEPS))
_FOLDER = r"(?:/(?:usr/)?(?:local/)?s?bin/)?"
_QUOTED = rf"""[\[(=]\s*[fr]?['"](?:sudo['"]?,? *['"]?)?{_FOLDER}(?:{_ALL})"""
# Programs stand at the start of a command, or behind ; & | and assignments. {} is not known.
_START = rf"(?:^|[;&|\n]|\$\()\s*(?:sudo\s+)?(?:[A-Za-z_]\w*=\S*\s+)*{_FOLDER}"
_PROGRAM = re.compile(rf"{_START}({_ALL})(?=\s|$|[;&|)])")
_FOREIGN_OPTION = re.compile(
    "|".join(
        rf"{_START}(?P<{name}>{name})\s(?:[^;&|\n]*?\s)?(?P<{name}_option>-(?:{options}))(?=\s|$|[;&|)])"
        for name, options in _OPTIONS.items()
    )
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
_QUOTED_OPTIONS = rf"""[\[(=]\s*[fr]?['"]{_FOLDER}(?:{"|".join(_OPTIONS)})"""
QUOTED_PROGRAM = re.compile(rf"""{_QUOTED}['"]|{_QUOTED_OPTIONS}['"],""".encode())
QUOTED_COMMAND = re.compile(rf"""{_QUOTED} |{_QUOTED_OPTIONS} [^'"\n]*-[a-zV]""".encode())


def describe_missing_part(command: str, runs_shell: bool | None) -> str | None:
    """Return what a command has that Windows lacks, a program or the syntax of a shell; None if it has none.

    `runs_shell` says whether a shell reads the command, None if that is not known.
    """
    command = _QUOTED_TEXT.sub('""', command)
    option = _FOREIGN_OPTION.search(command)
    for match in _PROGRAM.finditer(command, 0, option.start() if option is not None else len(command)):
        name = match[1]
        if name not in SHELL_COMMANDS:
            return f'the command "{name}"'
        if runs_shell is False:
            return f'the program "{name}"'
    if option is not None:
        name = next(each for each in _OPTIONS if option[each])
        return f'the option {option[f"{name}_option"]} of "{name}"'
    return next(_find_syntax(command), None) if runs_shell else None


def _find_syntax(command: str) -> Iterator[str]:
    for name, pattern in _SYNTAX:
        if (match := pattern.search(command)) is not None:
            yield name.format(*match.groups())
