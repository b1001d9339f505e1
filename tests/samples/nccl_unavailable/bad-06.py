from dataclasses import dataclass, field


@dataclass
class A:
    ddp_backend: str = field(default="nccl")
