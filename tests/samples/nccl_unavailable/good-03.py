import torch.distributed as dist

backend = "nccl" if dist.is_nccl_available() else "gloo"
