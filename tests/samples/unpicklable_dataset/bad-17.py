from torch.utils.data import Dataset
import torchvision.transforms as T


class D(Dataset):
    def __init__(self):
        self.transform = T.Compose([T.ToTensor(), T.Lambda(lambda x: x)])
