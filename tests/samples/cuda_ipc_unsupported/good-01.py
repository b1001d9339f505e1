import torch.multiprocessing as mp

model = Net()
model.share_memory()
p = mp.Process(target=w, args=(model,))
