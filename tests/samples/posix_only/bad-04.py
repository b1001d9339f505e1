import subprocess

subprocess.Popen("rm -rf a", shell=True)
