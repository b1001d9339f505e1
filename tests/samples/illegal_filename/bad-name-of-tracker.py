from datetime import datetime

from accelerate import Accelerator

accelerator = Accelerator(log_with="tensorboard", project_dir="out")
accelerator.init_trackers(f"run {datetime.now()}")
