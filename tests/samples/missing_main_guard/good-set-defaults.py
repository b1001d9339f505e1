# What set_defaults() says later replaces the default of the option.
import argparse

from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--num-workers", type=int, default=4)
parser.set_defaults(num_workers=0)
args = parser.parse_args()
for batch in DataLoader([1, 2], num_workers=args.num_workers):
    print(batch)
