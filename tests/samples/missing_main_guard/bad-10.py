import argparse
from torch.utils.data import DataLoader


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-j", "--workers", default=4, type=int)
    a = p.parse_args()
    l = DataLoader(ds, num_workers=a.workers)
    for i, x in enumerate(l):
        pass


main()
