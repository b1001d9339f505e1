import os
import subprocess
import time


def limit():
    pass


def start(command):
    subprocess.Popen(command, preexec_fn=None, pass_fds=())
    subprocess.Popen(command, preexec_fn=None if os.name == "nt" else limit)
    if os.name != "nt":
        subprocess.Popen(command, preexec_fn=limit)
    print(time.strftime("%d %B - %m"), "100%-done")
