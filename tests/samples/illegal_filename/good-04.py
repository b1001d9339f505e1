from datetime import datetime
import os

os.makedirs("a/" + datetime.now().strftime("%Y%m%d"))
