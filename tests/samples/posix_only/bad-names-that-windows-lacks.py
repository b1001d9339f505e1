import mmap
import os
import readline
import select
import signal
import sys
import time
from os import getgid, path
from socket import AF_UNIX

from torch.utils.data import DataLoader

print(getgid(), path, AF_UNIX, readline)


def embed(dataset, size):
    return DataLoader(dataset, num_workers=min(len(os.sched_getaffinity(0)), size))


def report(folder):
    space = os.statvfs(folder)
    print(space.f_bavail, os.getloadavg(), os.sysconf("SC_PAGE_SIZE"), os.geteuid())


def read(file):
    os.nice(10)
    os.sync()
    flags = os.O_RDONLY | os.O_DIRECT
    return flags, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)


def watch(handler):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, handler)
    signal.signal(signal.SIGHUP, handler)
    signal.pause()
    poller = select.poll()
    poller.register(0)
    time.tzset()
    print(time.clock_gettime(0))
    if os.fork() == 0:
        sys.exit(os.EX_USAGE)
    _, status = os.wait()
    return os.WEXITSTATUS(status)
