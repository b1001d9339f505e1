import os
import subprocess
from subprocess import check_output


def prepare(path, url):
    subprocess.run(["mkdir", path])
    subprocess.call(["mv", "a", path])
    subprocess.run(
        [
            "gunzip",
            "a.gz",
        ]
    )
    subprocess.check_call(["/usr/bin/rsync", "-a", path, "b"])
    subprocess.run(["sudo", "apt-get", "install", "ffmpeg"])
    print(check_output(["ls"]), check_output(("sha256sum %s" % path).split()))
    print(os.popen("lscpu").read(), subprocess.getoutput("nproc"))
    subprocess.call(["wget -qO- https://example.org/a.sh | bash"], shell=True)
    print(int(subprocess.run(f"stat -c%s {path}", shell=True, capture_output=True).stdout))
    subprocess.run("mkdir out && zip -r out.zip out", shell=True)
    os.system("bash scripts/download.sh")
    os.system("curl -s https://example.org/a.tar.gz | zcat | head -n 1")
    os.system("sleep 5; taskset -c 0 python train.py")
