from transformers import Trainer, TrainingArguments

trainer = Trainer(model=None, args=TrainingArguments("out", dataloader_num_workers=4))
trainer.train()
