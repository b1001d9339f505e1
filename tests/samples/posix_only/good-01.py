import os

os.system("nvidia-smi")
