from transformers import TrainingArguments


class OwnTrainer:
    def __init__(self, settings):
        self.settings = settings

    def train(self):
        print(self.settings.output_dir)


settings = TrainingArguments("out", dataloader_num_workers=4)
OwnTrainer(settings).train()
