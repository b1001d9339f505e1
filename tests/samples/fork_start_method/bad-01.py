import torch

torch.multiprocessing.set_start_method("forkserver")
