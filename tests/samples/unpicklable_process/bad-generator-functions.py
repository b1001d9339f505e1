import multiprocessing as mp


def read_lines(path):
    with open(path) as file:
        yield from file


class Sampler:
    def __init__(self, path):
        self.lines = self.read(path)

    @staticmethod
    def read(path):
        yield path


def work(lines, manager=None):
    print(lines, manager)


def main():
    lines = read_lines("a.txt")
    mp.Process(target=work, args=(lines,)).start()
    mp.Process(target=work, args=(enumerate(read_lines("a.txt")),)).start()
    samplers = []
    for path in ("a.txt", "b.txt"):
        samplers.append(Sampler(path))
    for number in range(2):
        mp.Process(target=work, args=(samplers[number],)).start()
    manager = mp.Manager()
    mp.Process(target=work, args=([], manager)).start()


if __name__ == "__main__":
    main()
