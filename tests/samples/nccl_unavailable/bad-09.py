import torch.distributed as dist


def start(device):
    backends = {"cuda": "nccl", "xpu": "ccl"}
    dist.init_process_group(backends.get(device, "gloo"))
