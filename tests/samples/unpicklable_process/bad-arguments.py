import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor

from torch.multiprocessing import Process

scale = lambda value: value * 2


def work(*values):
    pass


def start(names):
    Process(target=scale).start()
    Process(target=work, args=(lambda value: value, 1)).start()
    log = open("log.txt", "w")
    Process(target=work, args=(log,)).start()
    lock = threading.Lock()
    Process(target=work, kwargs={"lock": lock}).start()
    stop = threading.Event()
    multiprocessing.get_context("spawn").Process(None, work, "name", (stop,)).start()
    Process(target=work, args=((name for name in names),)).start()

    def prepare(value):
        pass

    with multiprocessing.Pool(2, prepare, (1,)) as pool:
        pool.map(work, names)
    with ProcessPoolExecutor(initializer=work, initargs=(lambda: 1,)) as executor:
        executor.submit(work, 1)


if __name__ == "__main__":

    def resize(value):
        return value

    start(["a"])
    with multiprocessing.Pool(2) as pool:
        pool.map(resize, [1])
