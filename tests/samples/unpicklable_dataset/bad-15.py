from torch.utils.data import DataLoader
from mydata import MyDataset
import torchvision.transforms as T

tf = T.Compose([T.Lambda(lambda x: x)])
ds = MyDataset("a", tf)
l = DataLoader(ds, num_workers=2)
