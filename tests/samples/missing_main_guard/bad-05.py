import pytorch_lightning as pl
from torch.utils.data import DataLoader

l = DataLoader(ds, num_workers=8)
trainer = pl.Trainer()
trainer.fit(model, l)
