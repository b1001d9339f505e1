from torch.utils import data


def get(w=4):
    return data.DataLoader(ds, num_workers=w)


for x in get(0):
    pass
