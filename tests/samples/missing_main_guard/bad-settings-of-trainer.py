from trainer import Trainer, TrainerArgs

from speech.configs import SpeechConfig
from speech.models import Speech, Tokenizer

config = SpeechConfig(num_loader_workers=4, num_eval_loader_workers=4)
tokenizer, config = Tokenizer.init_from_config(config)
model = Speech(config, tokenizer)
trainer = Trainer(TrainerArgs(), config, "out", model=model)
trainer.fit()
