from datetime import datetime
from pathlib import Path

p = Path("out") / str(datetime.now())
