# The loader is handed to a class at import, and iterated under the guard.
from torch.utils.data import DataLoader

from shapes import Base, Parts

loader = DataLoader(Parts("train"), num_workers=4)


class Probe(Base):
    def __init__(self, batches):
        super().__init__(batches)


probe = Probe(loader)

if __name__ == "__main__":
    probe.run()
