import os
import subprocess
from pathlib import Path

os.system('find "error" log.txt')
os.system('type log.txt | find /c /v ""')
subprocess.run(["find", "/i", "error", "log.txt"])
os.system("sort names.txt /o sorted.txt")
subprocess.run(["sort", "/r", "names.txt"])
os.system("python find.py -name x")
os.system('git log --format="find . -name x"')
os.system("docker exec box find /data -name x.pt")
subprocess.run(["python", "-m", "tool", "find", "-name", "x"])
print("find . -name x", ["sort", "-n"])
if os.name == "posix":
    os.system("find . -name x.pt -delete")
for path in Path(".").rglob("*.pt"):
    path.unlink()
