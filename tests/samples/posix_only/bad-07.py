import logging
import os

files = os.popen("ls " + "data/*.jpg").read().split()
logging.basicConfig(format=os.uname()[1] + " %(message)s")
