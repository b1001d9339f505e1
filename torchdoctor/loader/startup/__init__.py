"""What runs inside a program under `torchdoctor run`: standard library only, Python 3.8 syntax.

The folder is put first on PYTHONPATH; `sitecustomize` takes it off the import path again and loads the
rest as the package `_torchdoctor_startup`, in the program and in every Python that it starts.
"""
