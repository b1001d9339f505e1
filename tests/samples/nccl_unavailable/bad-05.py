import torch.distributed as dist

has_gpu = True
backend = dist.Backend.NCCL if has_gpu else "gloo"
dist.init_process_group(backend)
