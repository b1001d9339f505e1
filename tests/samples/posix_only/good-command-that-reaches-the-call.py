import os
import platform
import subprocess
import sys


def replaced():
    cmd = "rm -rf out"
    print(cmd)
    cmd = "rmdir /s /q out"
    os.system(cmd)


def replaced_in_both_branches(args):
    cmd = "rm -rf out"
    if args.all:
        cmd = "python clean.py --all"
    else:
        cmd = "python clean.py"
    os.system(cmd)


def by_system():
    cmd = "cp a b"
    if sys.platform == "win32":
        cmd = "copy a b"
    os.system(cmd)


def by_system_again():
    if os.name == "nt":
        cmd = "copy a b"
    else:
        cmd = "cp a b"
    os.system(cmd)
    cmd = "type a" if platform.system() == "Windows" else "cat a"
    os.system(cmd)
    null = "NUL" if os.name == "nt" else "/dev/null"
    os.system("ffmpeg -i a b > " + null)


def other_branch(args):
    if args.show:
        cmd = "rm -rf out"
        print(cmd)
    else:
        cmd = "python train.py"
        os.system(cmd)


def left_before(args):
    cmd = "python train.py"
    if args.show:
        cmd = "rm -rf out"
        print(cmd)
        return
    os.system(cmd)


def loop_sets_it(names):
    cmd = "rm -rf out"
    for cmd in names:
        os.system(cmd)


def later(ssh):
    cmd = "python train.py"
    os.system(cmd)
    cmd = "rm -rf out"
    ssh.exec_command(cmd)


def in_a_shell_of_its_own():
    subprocess.run("rm -rf out", shell=True, executable="C:/msys64/usr/bin/bash.exe")
    os.system("git rm -r out")
    os.system("wsl rm -rf out")
    os.system('docker run image bash -c "rm -rf out"')


def in_quotes(path):
    cmd = "ffmpeg -i '" + path + "' out.wav"
    cmd = cmd.replace("'", '"')
    os.system(cmd)


COMMAND = "cp a b"
if os.name == "nt":
    COMMAND = "copy a b"


def outer():
    os.system(COMMAND)


def run(command):
    if os.name != "nt":
        os.system(command)


def run_all(command):
    try:
        subprocess.run(command)
    except FileNotFoundError:
        print("not installed:", command)


class Remote:
    def run(self, command):
        self.client.exec_command(command)

    def clean(self):
        self.run("rm -rf out")


run("rm -rf out")
run_all(["free", "-g"])
