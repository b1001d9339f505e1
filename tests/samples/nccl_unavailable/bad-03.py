import torch.distributed as dist

dist.is_nccl_available()
dist.init_process_group(backend="nccl")
