"""Code that runs in another Python than the doctor's: standard library only, Python 3.8 syntax.

`torchdoctor.processes.guest` and `program/sitecustomize.py` load it there from its folder, as the package
`_torchdoctor_inside`; modules import each other relatively. What runs before torch is imported loads as
little as possible, because a module that is loaded already hides a file that shadows it.
"""
