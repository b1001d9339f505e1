import os

import settings


def find_kind():
    return "linux" if settings.kind else "other"


if settings.system == "cluster":
    os.mkfifo("pipe")
if find_kind() == "linux":
    os.mkfifo("other")
if settings.platform == "windows":
    os.mkfifo("third")
