import os
import subprocess

os.system("python train.py --lr=0.1 > log.txt")
os.system("set OMP_NUM_THREADS=1 && python train.py")
os.system('python train.py --name "first run"')
subprocess.run(["python", "train.py", "A=1", "'quoted'"], stdout=subprocess.DEVNULL)
subprocess.run("python train.py --name 'no shell'")
silent = open(os.devnull, "w")
print("cat /dev/null | grep x")
if os.name != "nt":
    os.system("cat /proc/meminfo | grep MemFree")
