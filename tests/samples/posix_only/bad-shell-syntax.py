import os
import subprocess

os.system("nohup python train.py > log.txt 2>&1 &")
os.system("python train.py > /dev/null")
os.system("export OMP_NUM_THREADS=1; python train.py")
subprocess.run("CUDA_VISIBLE_DEVICES=0 python train.py", shell=True)
os.system(f"python train.py --name '{os.getpid()}'")
memory = os.popen("nvidia-smi -q -d Memory | grep Free").read()
silent = open("/dev/null", "w")
