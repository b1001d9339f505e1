from datetime import datetime

n = datetime.now().strftime("%Y-%m-%d_%H:%M").replace(":", "-")
open(n, "w")
