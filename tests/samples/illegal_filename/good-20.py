import os
from datetime import datetime

stamp = "{0:%Y_%m_%dT%H_%M_%S}".format(datetime.now())
os.makedirs(os.path.join("runs", stamp))
