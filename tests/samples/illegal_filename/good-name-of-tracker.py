# Weights & Biases has the name on its server only.
from datetime import datetime

from accelerate import Accelerator

accelerator = Accelerator(log_with="wandb")
accelerator.init_trackers(f"run {datetime.now()}")
