# With one process, the launcher calls the function itself.
from accelerate import notebook_launcher


def train():
    print("training")


if __name__ == "__main__":
    notebook_launcher(train, (), 1)
