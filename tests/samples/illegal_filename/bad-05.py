from datetime import datetime
import argparse

p = argparse.ArgumentParser()
p.add_argument("--name", default=datetime.now().strftime("%H:%M"))
a = p.parse_args()
import os

os.makedirs(os.path.join("x", a.name))
