import numpy as np
from torch.utils.data import DataLoader


class SamplerLoader(DataLoader):
    def __init__(self, dataset, num_workers=1, seed=436):
        def seed_worker(worker_id):
            np.random.seed(seed + worker_id)

        args = {"num_workers": num_workers, "worker_init_fn": seed_worker}
        super(SamplerLoader, self).__init__(dataset, **args)


class ListLoader(DataLoader):
    def __init__(self, dataset):
        super().__init__(dataset, num_workers=4, collate_fn=lambda batch: batch)


def make(dataset, num_workers=4):
    settings = dict(num_workers=num_workers, collate_fn=lambda batch: batch)
    return DataLoader(dataset, **settings)
