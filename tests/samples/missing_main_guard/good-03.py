from multiprocessing.pool import ThreadPool

p = ThreadPool(4)
