from dataclasses import dataclass

from transformers import TrainingArguments
from trl import SFTTrainer


@dataclass
class Settings(TrainingArguments):
    output_dir: str = "out"


class OwnTrainer(SFTTrainer):
    def compute_loss(self, model, inputs):
        return model(**inputs).loss


settings = Settings()
settings.dataloader_num_workers = 4
OwnTrainer(model=None, args=settings).train()
