from trainer import Trainer, TrainerArgs

from speech.configs import SpeechConfig
from speech.models import Speech

config = SpeechConfig(num_loader_workers=4)
model = Speech(config)
model.fit()
trainer = Trainer(TrainerArgs(), config, "out", model=model)
trainer.save()
print(config)
config.num_loader_workers = 0
Trainer(TrainerArgs(), config, "out", model=model).fit()

if __name__ == "__main__":
    trainer.fit()
