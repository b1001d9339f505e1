import multiprocessing as mp


def read_lines(path):
    with open(path) as file:
        yield from file


class Sampler:
    def __init__(self, path):
        self.lines = read_lines(path)
        self.first = next(self.lines)
        self.lines = None


def find_places(path):
    return range(len(path))


def work(lines, places):
    print(lines, places)


def main():
    manager = mp.Manager()
    mp.Process(target=work, args=(list(read_lines("a.txt")), find_places("a.txt"))).start()
    mp.Process(target=work, args=(manager.list(), manager.Queue())).start()
    samplers = [Sampler("a.txt")]
    mp.Process(target=work, args=(samplers[0], len(samplers))).start()
    with mp.Pool(2) as pool:
        pool.imap(print, read_lines("a.txt"))


if __name__ == "__main__":
    main()
