import hydra
from torch.utils.data import DataLoader


@hydra.main()
def main(c):
    for x in DataLoader(ds, num_workers=2):
        pass


main()
