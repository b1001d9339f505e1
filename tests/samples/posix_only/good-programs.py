import os
import shutil
import subprocess


def prepare(path, url, shell, options):
    subprocess.run(["curl", "-O", url])
    subprocess.run(["tar", "xf", path])
    subprocess.run(["ssh", "host", "ls"])
    subprocess.run(["git", "clone", url])
    subprocess.run(["ffmpeg", "-i", path])
    subprocess.check_output(["nvidia-smi"])
    subprocess.run(["python", "-c", "import os; ls = os.listdir()"])
    subprocess.run("mkdir out", shell=True)
    subprocess.run(["mkdir", path], shell=True)
    subprocess.run(["mkdir", path], shell=shell)
    subprocess.run(["mkdir", path], **options)
    os.system("echo done && mkdir out")
    os.system("curl https://example.org/a?b=1&c=2 -o a")
    print("wget", {"head": "cut"}, ["mv", "cp"])


def fetch(path):
    try:
        subprocess.run(["wget", path])
    except FileNotFoundError:
        print("wget is missing")


def pack(path):
    if shutil.which("zip"):
        subprocess.run(["zip", "-r", "a.zip", path])
    program = shutil.which("rsync")
    if program is None:
        return
    os.system(f"rsync -a {path} b")
    os.system('ssh host "ls | grep a"')
    os.system("python -c \"print('/dev/null') or 'a; ls'\"")
