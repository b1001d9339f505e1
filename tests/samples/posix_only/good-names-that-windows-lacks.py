import os
import signal
import time

try:
    count = len(os.sched_getaffinity(0))
except AttributeError:
    count = os.cpu_count()

processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
direct = getattr(os, "O_DIRECT", 0)

if hasattr(os, "pread"):
    print(os.pread(0, 1, 0))
if hasattr(signal, "SIGPIPE"):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def stop(process, event, handler):
    signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGTERM, handler)
    event.wait()
    event.sync()
    os.kill(process.pid, signal.SIGTERM)
    os.waitpid(process.pid, 0)
    print(os.getpid(), os.getppid(), os.get_terminal_size(), os.umask(0), time.monotonic(), process.fork)


def play(signal, select, mmap):
    time = signal.clock()
    signal.pause()
    select.poll()
    time.tzset()
    print(mmap.PROT_READ)
