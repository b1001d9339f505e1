import multiprocessing as mp

USE = False
if USE:
    mp.set_start_method("spawn")
