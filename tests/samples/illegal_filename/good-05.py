from datetime import datetime

meta = {"time": datetime.now().isoformat()}
import json

json.dump(meta, open("a.json", "w"))
