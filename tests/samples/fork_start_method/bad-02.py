import argparse, multiprocessing as mp

p = argparse.ArgumentParser()
p.add_argument("--start_method", default="fork")
a = p.parse_args()
mp.set_start_method(a.start_method)
