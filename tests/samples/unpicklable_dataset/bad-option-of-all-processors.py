import argparse
import os

from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, options):
        self.options = options

    def load(self, images):
        return DataLoader(images, num_workers=self.options.readers, collate_fn=lambda items: items)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--readers", type=int, default=os.cpu_count())
    Trainer(parser.parse_args()).load([])


if __name__ == "__main__":
    main()
