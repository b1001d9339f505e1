BACKEND = "nccl"
