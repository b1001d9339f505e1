import datetime

from pytorch_lightning.loggers import TensorBoardLogger

name = "trial-" + datetime.datetime.now().strftime("%H:%M")
logger = TensorBoardLogger("logs", name=name)
