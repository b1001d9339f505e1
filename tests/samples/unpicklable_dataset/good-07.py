from torch.utils.data import Dataset, DataLoader


class D(Dataset):
    def __init__(self, t):
        self.t = sorted(t, key=lambda x: x[0])
        self.u = list(map(lambda x: x, t))
