from transformers import Trainer, TrainingArguments

arguments = TrainingArguments("out", dataloader_num_workers=0)
trainer = Trainer(model=None, args=arguments)
trainer.train()
