import time
from torch.utils.tensorboard import SummaryWriter

w = SummaryWriter("runs/" + time.strftime("%Y%m%d-%H:%M"))
