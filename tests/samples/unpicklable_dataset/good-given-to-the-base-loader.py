from torch.utils.data import DataLoader


def collate(batch):
    return batch


class ListLoader(DataLoader):
    def __init__(self, dataset):
        super().__init__(dataset, num_workers=0, collate_fn=lambda batch: batch)


class OtherLoader(DataLoader):
    def __init__(self, dataset, num_workers=4):
        args = {"num_workers": num_workers, "collate_fn": collate}
        super().__init__(dataset, **args)


class Table:
    def __init__(self, rows):
        super().__init__(rows, num_workers=4, collate_fn=lambda batch: batch)
