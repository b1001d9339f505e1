import common


def main(launcher, port):
    return getattr(common, f"init_{launcher}")(port, backend="nccl")
