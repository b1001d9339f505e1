"""Code that runs in other Pythons than the doctor's own: standard library only, Python 3.8 syntax.

`torchdoctor.processes.guest` and `program/sitecustomize.py` load it from this folder as the package
`_torchdoctor_inside`; its modules import each other relatively. Code that runs before torch is imported
loads as few modules as possible, because a module that is already loaded hides a user's file that shadows it.
"""
