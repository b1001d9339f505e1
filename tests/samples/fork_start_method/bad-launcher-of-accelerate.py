from accelerate import debug_launcher, notebook_launcher


def train():
    print("training")


if __name__ == "__main__":
    notebook_launcher(train, num_processes=2)
    debug_launcher(train)
