import os
import subprocess

os.system("find . -name '*.pt' -type f -delete")
os.system("cd runs && find . -maxdepth 1 -name x.pt -delete")
subprocess.run(["find", "data", "-type", "f"], check=True)
subprocess.run("find data -size +1M | wc -l", shell=True)
subprocess.run(["sort", "-u", "names.txt"])
os.system("sort -t, -k2 scores.csv > sorted.csv")
os.system("cat scores.txt | sort -rn")
