import os
from datetime import datetime

settings = {"run": datetime.now().strftime("%Y-%m-%d_%H:%M:%S")}
settings["other"] = None or datetime.now().isoformat()
os.makedirs(os.path.join("runs", settings["run"]))
os.makedirs(os.path.join("runs", settings["other"]))
