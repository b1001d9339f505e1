from torch.utils.data import Dataset


class D(Dataset):
    def __init__(self):
        self.f = lambda x: x
