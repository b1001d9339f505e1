"""Probes: the only code that touches the machine.

Most modules observe the facts that the module of the same name in `torchdoctor.facts` defines.
"""
