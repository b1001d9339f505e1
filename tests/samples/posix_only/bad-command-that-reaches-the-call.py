import os
import shlex
import subprocess


def twice(files):
    cmd = "echo start"
    os.system(cmd)
    cmd = "nohup python serve.py"
    os.system(cmd)
    for file in files:
        cmd = "mv {} done/".format(file)
        os.system(cmd)
    for file in files:
        cmd = "touch {}".format(file)
        os.system(cmd)


def in_a_branch(args):
    cmd = "python train.py"
    if args.gpu:
        cmd = "CUDA_VISIBLE_DEVICES=0 python train.py"
    os.system(cmd)


def in_both_branches(args):
    cmd = ""
    if args.all:
        cmd = "unzip all.zip"
    else:
        cmd = "unzip one.zip"
    cmd += " > /dev/null"
    os.system(cmd)


def from_a_list():
    for cmd in ["mkdir out", "chmod +x run"]:
        os.system(cmd)


def from_an_earlier_pass(names):
    cmd = "echo start"
    for name in names:
        os.system(cmd)
        cmd = "ln -s " + name


def after_an_error(path):
    try:
        cmd = "tail " + path
    except TypeError:
        cmd = "echo nothing"
    subprocess.call(shlex.split(cmd))


def joined(folder):
    subprocess.call(" ".join(["du", "-sh", folder]), shell=True)


class Job:
    def __init__(self):
        self.cmd = "wget https://example.com/model.pt"

    def start(self):
        os.system(self.cmd)

    def run(self, command):
        subprocess.check_call(command, shell=True)

    def clean(self):
        self.run("pkill python")


def run(command):
    subprocess.check_call(command, shell=True)


run("export A=1 && python train.py")
run(command="ps aux")
