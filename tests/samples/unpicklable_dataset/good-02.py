import torchvision.transforms as T
from torchvision.datasets import MNIST
from torch.utils.data import DataLoader

t = T.Compose([T.ToTensor(), T.Lambda(lambda x: x.view(-1))])
l = DataLoader(MNIST(".", transform=t))
