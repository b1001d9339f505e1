import torch.distributed as dist
from project.groups import create_new_group_for_this_rank, describe_group, get_distance, is_group


def make():
    print(describe_group("nccl"), is_group("nccl"), get_distance("a", "nccl"))
    create_new_group_for_this_rank("gloo")
    return create_new_group_for_this_rank("nccl" if dist.is_nccl_available() else "gloo")
