import multiprocessing as mp
import os

# Windows sets OS for every program.
on_windows = os.environ.get("OS", "") == "Windows_NT"

if __name__ == "__main__":
    mp.set_start_method("spawn" if on_windows else "fork")
