from yacs.config import CfgNode as CN

_C = CN()
_C.TRAIN = CN()
_C.DIST_BACKEND = "nccl"
_C.TRAIN.BACKEND = "nccl"
