import sys, multiprocessing as mp

if sys.platform.startswith("linux"):
    mp.set_start_method("fork")
