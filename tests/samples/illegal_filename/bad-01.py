from datetime import datetime
import os

now = datetime.now().strftime("%Y-%m-%d %H:%M:%S")
os.makedirs(os.path.join("logs", now))
