from torch.utils.data import DataLoader
import pytorch_lightning as pl


class DM(pl.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(self.ds, collate_fn=lambda b: b, num_workers=self.hparams.num_workers)
