import os

if hasattr(os, "setpgrp"):
    os.setpgrp()
