import resource
from os import getgrouplist, path
from signal import SIGKILL, alarm

import readline


def open_group():
    from os import getpgid

    return getpgid(0)


def limit():
    import fcntl

    return fcntl.F_SETFD, path, resource
