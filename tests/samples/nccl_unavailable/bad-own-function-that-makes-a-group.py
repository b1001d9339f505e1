from project.groups import create_new_group_for_this_rank, init_dist, setup_ddp


class Groups:
    def __init__(self):
        self.devices = create_new_group_for_this_rank("nccl")
        init_dist("nccl")
        setup_ddp("nccl", 0)
