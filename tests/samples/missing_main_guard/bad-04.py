import pytorch_lightning as pl
from torch.utils.data import DataLoader


class M(pl.LightningModule):
    def train_dataloader(self):
        return DataLoader(ds, num_workers=8)


model = M()
trainer = pl.Trainer()
trainer.fit(model)
