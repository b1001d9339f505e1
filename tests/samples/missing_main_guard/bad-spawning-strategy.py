import lightning as L

from models import Model

trainer = L.Trainer(accelerator="gpu", devices=2, strategy="ddp_spawn")
trainer.fit(Model())
