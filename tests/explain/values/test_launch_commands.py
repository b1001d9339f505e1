"""The command of a distributed launcher, and the one that starts a single process."""

import pytest

from torchdoctor.explain.values.launch_commands import read_plain_command
from torchdoctor.knowledge.harmless import keep_harmless

COMMANDS = [
    (
        "torchrun train.py --tokenizer_path t --max_tokens 8",
        "python train.py --tokenizer_path t --max_tokens 8",
    ),
    ("torchrun --nproc_per_node=2 train.py -c config.yml", "python train.py -c config.yml"),
    ("$ torchrun --standalone --nproc_per_node 1 train.py --bs 4", "python train.py --bs 4"),
    (
        "C:\\p> .venv\\Scripts\\torchrun.exe --nnodes=1 tools\\train.py cfg.py",
        "python tools\\train.py cfg.py",
    ),
    (
        "python -m torch.distributed.launch --use_env main.py --world_size 2 --lr 1e-4",
        "python main.py --lr 1e-4",
    ),
    ("python3 -m torch.distributed.run --nproc-per-node 1 -m pkg.train --x 1", "python -m pkg.train --x 1"),
    (
        'torchrun --nproc_per_node 8 finetune.py \\\n    --fsdp "full_shard auto_wrap" \\\n    --bf16 True',
        "python finetune.py --bf16 True",
    ),
    ("torchrun --nproc_per_node 1 a.py\n    --gpus 0,1\n    --name x", 'python a.py --gpus "0,1" --name x'),
    (
        "bash ./tools/dist_train.sh configs/a.py 8 --work-dir out",
        "python tools/train.py configs/a.py --work-dir out",
    ),
    ("sh dist_test.sh configs/a.py a.pth 2 --eval bbox", "python test.py configs/a.py a.pth --eval bbox"),
    ("`torchrun train.py --launcher pytorch --seed 0`", "python train.py --seed 0"),
    ("torchrun train.py --seed 0\nTraceback (most recent call last):", "python train.py --seed 0"),
    ("torchrun train.py --seed 0\n[W socket.cpp:697] The client socket failed", "python train.py --seed 0"),
]
# Sentences about a launcher, and commands of which no script is known.
OTHERS = [
    "I start it with torchrun and then it fails with the error below",
    "torchrun is not recognized as an internal or external command",
    "torchrun train.py but it gives the same error",
    "python -m torch.distributed.launch --help",
    "torchrun --nproc_per_node=2 $SCRIPT --lr 1e-4",
    "torchrun --nproc_per_node=2 train.py; rm x",
    "bash dist_train.sh",
    "torchrun --nproc_per_node=2 train.py --wandb_key geheimnisvoll",
    "torchrun --nproc_per_node=2 train.py --dist-url tcp://gpu-a100-03:29500",
    'File "C:\\p\\Scripts\\torchrun.exe\\__main__.py", line 7, in <module>',
    "python train.py --epochs 3",
]


@pytest.mark.parametrize(("text", "command"), COMMANDS)
def test_command_without_its_launcher(text: str, command: str) -> None:
    assert read_plain_command(f"It stops here:\n{text}\n") == command
    assert keep_harmless({"plain_command": command}) == {"plain_command": command}


@pytest.mark.parametrize("text", OTHERS)
def test_what_names_no_command(text: str) -> None:
    assert read_plain_command(f"{text}\n") is None
