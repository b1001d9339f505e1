from concurrent.futures import ProcessPoolExecutor as P


def main():
    with P() as e:
        pass


main()
