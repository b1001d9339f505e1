import subprocess
import time


def limit():
    pass


def start(command):
    subprocess.Popen(["env", "A=1", "torchrun", command], preexec_fn=limit)
    subprocess.run(command, pass_fds=(3,))
    print(time.strftime("%-d %B, %-I:%M"))
