import os
import signal
from os import cpu_count, path
from signal import SIGTERM

from .os import getgrouplist

groups = os.getgrouplist("user", 0) if hasattr(os, "getgrouplist") else []
if os.name != "nt":
    from os import getpgid
try:
    from signal import SIGKILL
except ImportError:
    SIGKILL = SIGTERM
