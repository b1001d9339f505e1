from torch.utils.data import DataLoader, Dataset

if __name__ == "__main__":

    def collate(batch):
        return batch

    class Images(Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return index

    for batch in DataLoader([1, 2], num_workers=2, collate_fn=collate):
        print(batch)
    for batch in DataLoader(Images(), num_workers=2):
        print(batch)
