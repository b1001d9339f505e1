"""Runs the command line as `python -m torchdoctor`."""

import os
import sys

# `python -m` puts the current folder first on the import path: a random.py there would run in the doctor.
if sys.path and os.path.abspath(sys.path[0]) == os.getcwd():
    del sys.path[0]

from torchdoctor.cli import main

if __name__ == "__main__":
    main()
