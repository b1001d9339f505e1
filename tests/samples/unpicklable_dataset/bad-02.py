from torch.utils.data import DataLoader


def f(cfg):
    return DataLoader(ds, collate_fn=lambda x: x, num_workers=cfg.workers)
