import torch.distributed as dist

nccl_ok = dist.is_nccl_available()
backend = "nccl" if nccl_ok else "gloo"
