import multiprocessing as mp


def read_lines(path):
    with open(path) as file:
        yield from file


def work(lines, manager=None):
    print(lines, manager)


def main():
    lines = read_lines("a.txt")
    mp.Process(target=work, args=(lines,)).start()
    mp.Process(target=work, args=(enumerate(read_lines("a.txt")),)).start()
    manager = mp.Manager()
    mp.Process(target=work, args=([], manager)).start()


if __name__ == "__main__":
    main()
