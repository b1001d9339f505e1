import argparse

p = argparse.ArgumentParser()
p.add_argument("--backend", choices=["nccl", "gloo"], default="gloo")
