from torch_geometric.data import NeighborSampler

sampler = NeighborSampler(None, sizes=[25], batch_size=4, num_workers=12)


def train(epoch):
    for batch in sampler:
        print(epoch, batch)


for epoch in range(3):
    train(epoch)
