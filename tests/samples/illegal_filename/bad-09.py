import time

ts = time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime())


def main():
    import os

    path = os.path.join("out", "exp_" + ts)
