import fire
from absl import flags
from torch.utils.data import DataLoader

FLAGS = flags.FLAGS
flags.DEFINE_integer("num_workers", 12, "Processes that load the data.")


def train(data, n_worker=8):
    return DataLoader([data], num_workers=n_worker), DataLoader([1], num_workers=FLAGS.num_workers)


if __name__ == "__main__":
    fire.Fire(train)
