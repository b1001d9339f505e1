from torch.utils.data import DataLoader


def f(ds, seed):
    def init(i):
        pass

    return DataLoader(ds, worker_init_fn=init, num_workers=4)
