import os
import subprocess
import sys

import settings


def find_kind():
    if sys.platform.startswith("linux"):
        return "linux"
    if sys.platform.startswith("win32"):
        return "win32"
    return sys.platform


def find_manager():
    if find_kind() != "linux":
        return None
    return subprocess.run("which dpkg", shell=True)


def make_pipe():
    if settings.os_name() in ("linux", "darwin"):
        os.mkfifo("pipe")
