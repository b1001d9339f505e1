import argparse

from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--num_worker", type=int, default=8, help="threads, as many as the server has")
parser.add_argument("-j", "--loader-workers", type=int, default=16)
parser.add_argument("--nw", dest="val_workers", type=int, default=12)
parser.add_argument("-t", dest="test_workers", type=int, default=10)
parser.add_argument("--n_threads", dest="n_worker", type=int, default=6, help="threads that load the data")
args = parser.parse_args()
train = DataLoader([1], num_workers=args.num_worker)
val = DataLoader([1], num_workers=args.val_workers)
workers = args.loader_workers
print(f"{workers} workers, {args.test_workers} in tests")
more = [DataLoader([1], num_workers=workers), DataLoader([1], num_workers=max(1, args.test_workers))]
most = DataLoader([1], num_workers=args.n_worker)
