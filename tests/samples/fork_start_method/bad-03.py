import multiprocessing as mp

ctx = mp.get_context("fork")
ctx.Pool(3)
