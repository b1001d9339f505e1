import multiprocessing.dummy
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

import psutil
from mylib import Process


def start(pid, executor):
    psutil.Process(pid)
    Process(target=lambda: 1)
    multiprocessing.dummy.Process(target=lambda: 1).start()
    with ThreadPool(2, initializer=lambda: None) as pool:
        pool.map(lambda value: value, [1])
    with ThreadPoolExecutor(initializer=lambda: None) as threads:
        threads.submit(lambda: 1)
    executor.map(lambda value: value, [1])
