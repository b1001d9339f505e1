import os

if os.environ.get("RANK"):
    command = "python -m torch.distributed.launch train.py"
else:
    command = f"python train.py --seed {os.getpid()}"
command += " > /dev/null 2>&1 &"
os.system(command)
last = "python test.py | tee -a {}".format("log.txt")
os.system(last)
