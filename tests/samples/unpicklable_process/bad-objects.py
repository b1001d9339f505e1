import multiprocessing as mp
import queue
import threading


class Agent(mp.Process):
    def __init__(self, make_env):
        super().__init__()
        self.make_env = make_env
        self.log = open("log.txt", "w")

    def run(self):
        self.make_env()


class Sampler:
    def __init__(self):
        self.lock = threading.Lock()
        self.results = queue.Queue()
        self.workers = []

    def start(self):
        for number in range(4):
            worker = mp.Process(target=self.work, args=(number,))
            self.workers.append(worker)
            worker.start()

    def work(self, number):
        pass


class Pipeline:
    def start(self):
        self.processes = [mp.Process(target=self.work) for _ in range(4)]
        for process in self.processes:
            process.start()

    def work(self):
        pass


def main():
    def make_env():
        return None

    Agent(make_env).start()


if __name__ == "__main__":
    main()
