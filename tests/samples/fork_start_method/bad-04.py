from torch.distributed.launcher.api import LaunchConfig, elastic_launch

from work import main

config = LaunchConfig(min_nodes=1, max_nodes=1, nproc_per_node=2, start_method="fork")

if __name__ == "__main__":
    elastic_launch(config, main)()
