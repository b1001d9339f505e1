from torch.utils.data import DataLoader
from tqdm import tqdm

l = DataLoader(ds, num_workers=2)
pb = tqdm(enumerate(l), total=len(l))
for i, x in pb:
    pass
