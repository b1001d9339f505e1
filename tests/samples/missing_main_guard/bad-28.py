import fire
from torch.utils.data import DataLoader


def main():
    for x in DataLoader(ds, num_workers=2):
        pass


fire.Fire(main)
