import pickle

import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.zeros(4)), num_workers=4)
torch.save(loader, "loader.pt")
with open("loader.pkl", "wb") as file:
    pickle.dump(loader, file)
