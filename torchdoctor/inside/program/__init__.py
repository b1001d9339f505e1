"""Code that runs inside a program under `torchdoctor run`, and in every Python that the program starts.

This folder is put first on PYTHONPATH; `sitecustomize` removes it from the import path again.
"""
