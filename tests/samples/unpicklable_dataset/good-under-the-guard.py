from torch.utils.data import DataLoader


def collate(batch):
    return batch


if __name__ == "__main__":

    def show(batch):
        print(batch)

    for batch in DataLoader([1, 2], num_workers=2, collate_fn=collate):
        show(batch)
