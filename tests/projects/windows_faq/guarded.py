import torch


def main():
    dataset = torch.utils.data.TensorDataset(torch.arange(100))
    dataloader = torch.utils.data.DataLoader(dataset, batch_size=10, num_workers=2)
    for batch in dataloader:
        print(batch)


if __name__ == "__main__":
    main()
