# With "ddp", Lightning starts the whole script again for each device, without multiprocessing.
import lightning as L

from models import Model

trainer = L.Trainer(accelerator="gpu", devices=2, strategy="ddp")
trainer.fit(Model())
L.Trainer(accelerator="gpu", devices=4).test(Model())
