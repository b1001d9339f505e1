# The item with the time is only printed.
import os
from datetime import datetime

settings = {"run": "first", "started": datetime.now().strftime("%Y-%m-%d_%H:%M:%S")}
os.makedirs(os.path.join("runs", settings["run"]))
print(settings["started"])
