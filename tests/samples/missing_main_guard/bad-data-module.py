from pl_bolts.datamodules import MNISTDataModule
from pytorch_lightning import Trainer

data = MNISTDataModule("data", num_workers=4)
Trainer(max_epochs=1).fit(None, data)
