import functools
import multiprocessing as mp
import queue
import sys
import threading


def work(*values):
    pass


class Agent(mp.Process):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.stop = mp.Event()
        self.lock = mp.Lock()

    def run(self):
        self.file = open(self.path)


class Inline(mp.Process):
    def __init__(self, is_parallel):
        super().__init__()
        if not is_parallel:
            self.start = lambda: None
            self.close = lambda: None


class Dropped:
    def __init__(self):
        self.lock = threading.Lock()
        self.workers = []

    def __getstate__(self):
        return {}

    def start(self):
        for number in range(4):
            worker = mp.Process(target=self.work)
            self.workers.append(worker)
            worker.start()

    def work(self):
        pass


class Later:
    def __init__(self):
        self.process = mp.Process(target=self.work)
        self.process.start()
        self.thread = threading.Thread(target=self.read)

    def work(self):
        pass


class Outside:
    def __init__(self):
        self.results = queue.Queue()
        self.processes = []
        for _ in range(4):
            process = mp.Process(target=work)
            process.start()
            self.processes.append(process)


def start(model):
    threads = [threading.Thread(target=lambda: 1)]
    mp.Process(target=functools.partial(work, 1), args=(model, mp.Queue(), mp.Lock())).start()
    with mp.Pool(2) as pool:
        pool.map(work, [1])
    return threads


def by_system(model):
    if sys.platform != "win32":
        mp.Process(target=lambda: model).start()
