"""Journeys with training scripts whose worker processes fail on Windows."""

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows

TRAIN = "python train.py"
DATASET = """import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
{members}
    def __len__(self):
        return 8

    def __getitem__(self, index):
{body}

"""
MAIN = """def main():
    dataset = {dataset}
    for batch in DataLoader(dataset, {arguments}):
        print(batch)


if __name__ == "__main__":
    main()
"""


def write_script(
    journey,
    *,
    members="",
    body="        return index * index",
    dataset="Squares()",
    arguments="num_workers=2",
) -> None:
    """Write train.py with a dataset of these members, a main function and a guard."""
    script = DATASET.format(members=members, body=body) + MAIN.format(dataset=dataset, arguments=arguments)
    journey.write(journey.project / "train.py", script)


def test_no_guard(journey) -> None:
    """The script starts workers, and has no main guard.

    https://github.com/prafull7/materialistic/issues/2
    """
    script = DATASET.format(members="", body="        return index * index")
    script += "for batch in DataLoader(Squares(), num_workers=2):\n    print(batch)\n"
    journey.write(journey.project / "train.py", script)
    journey.fails(TRAIN)
    journey.scan("train.py", first="missing-main-guard")
    journey.do()
    journey.works()


def test_no_guard_pasted(journey) -> None:
    """The script starts workers without a main guard, and the person pastes the error."""
    script = DATASET.format(members="", body="        return index * index")
    script += "for batch in DataLoader(Squares(), num_workers=2):\n    print(batch)\n"
    journey.write(journey.project / "train.py", script)
    journey.fails(TRAIN)
    journey.explain(first="missing-main-guard")
    journey.edit(
        "train.py",
        "for batch in DataLoader(Squares(), num_workers=2):\n    print(batch)\n",
        "def main():\n    for batch in DataLoader(Squares(), num_workers=2):\n        print(batch)\n\n"
        'if __name__ == "__main__":\n    main()\n',
        'if __name__ == "__main__":',
    )
    journey.works()


def test_pool_without_guard(journey) -> None:
    """The script makes a multiprocessing Pool at import."""
    journey.write(
        journey.project / "prepare.py",
        "from concurrent.futures import ProcessPoolExecutor\n\nwith ProcessPoolExecutor(2) as pool:\n"
        "    print(list(pool.map(abs, [-1, -2])))\n",
    )
    journey.fails("python prepare.py")
    journey.scan("prepare.py", first="missing-main-guard")
    journey.do()
    journey.works()


def test_lambda_in_dataset(journey) -> None:
    """The dataset keeps a lambda."""
    members = "    def __init__(self):\n        self.transform = lambda value: value * value\n"
    write_script(journey, members=members, body="        return self.transform(index)")
    journey.fails(TRAIN)
    journey.scan("train.py", first="unpicklable-dataset")
    journey.do()
    journey.works()


def test_lambda_as_collate(journey) -> None:
    """The DataLoader's collate_fn is a lambda."""
    write_script(journey, arguments="num_workers=2, collate_fn=lambda samples: torch.tensor(samples)")
    journey.fails(TRAIN)
    journey.scan("train.py", first="unpicklable-dataset")
    journey.do()
    journey.works()


def test_lambda_passed_in_main(journey) -> None:
    """main() passes a lambda to the dataset."""
    members = "    def __init__(self, transform):\n        self.transform = transform\n"
    write_script(
        journey, members=members, body="        return self.transform(index)",
        dataset="Squares(transform=lambda value: value * value)",
    )  # fmt: skip
    journey.fails(TRAIN)
    journey.scan("train.py", first="unpicklable-dataset")
    journey.do()
    journey.works()


def test_local_class(journey) -> None:
    """The dataset's class is defined inside a function.

    https://github.com/xingyizhou/CenterNet/issues/649
    """
    lines = DATASET.format(members="", body="        return index * index").splitlines()
    body = "\n".join(f"    {line}".rstrip() for line in lines[4:])
    script = "\n".join(lines[:2]) + f"\n\n\ndef make_dataset():\n{body}\n    return Squares()\n\n\n"
    journey.write(
        journey.project / "train.py",
        script + MAIN.format(dataset="make_dataset()", arguments="num_workers=2"),
    )
    journey.fails(TRAIN)
    journey.scan("train.py", first="unpicklable-dataset")
    whole = DATASET.format(members="", body="        return index * index")
    old = (journey.project / "train.py").read_text()
    new = whole + MAIN.format(dataset="Squares()", arguments="num_workers=2")
    journey.edit("train.py", old, new, "module level")
    journey.works()


def test_open_file(journey) -> None:
    """The dataset opens a file in its constructor."""
    journey.write(journey.project / "data.txt", "0123456789")
    members = '    def __init__(self):\n        self.file = open("data.txt")\n'
    write_script(
        journey, members=members, body="        self.file.seek(index)\n        return self.file.read(1)"
    )
    journey.fails(TRAIN)
    journey.scan("train.py", first="unpicklable-dataset")
    old = '        self.file = open("data.txt")\n'
    new = "        self.file = None\n"
    journey.edit("train.py", old, new, "__getitem__")
    journey.rewrite(
        journey.project / "train.py",
        "        self.file.seek",
        '        if self.file is None:\n            self.file = open("data.txt")\n        self.file.seek',
    )
    journey.works()


def test_lock_pasted(journey) -> None:
    """The dataset keeps a lock, and the person pastes the error."""
    members = "    def __init__(self):\n        import threading\n        self.lock = threading.Lock()\n"
    write_script(journey, members=members, body="        with self.lock:\n            return index")
    journey.fails(TRAIN)
    journey.explain(first="unpicklable-dataset")
    journey.edit("train.py", "num_workers=2", "num_workers=0", "num_workers=0")
    journey.works()


def test_generator(journey) -> None:
    """The dataset keeps a generator, and the person pastes the error."""
    members = "    def __init__(self):\n        self.values = (i * i for i in range(8))\n"
    write_script(journey, members=members, body="        return next(self.values)")
    journey.fails(TRAIN)
    journey.explain(first="unpicklable-dataset")
    journey.edit("train.py", "num_workers=2", "num_workers=0", "num_workers=0")
    journey.works()


def test_model_in_dataset(journey) -> None:
    """The dataset holds a model on a device that is chosen at run time."""
    members = "    def __init__(self, model, device):\n        self.model = model.to(device)\n        self.device = device\n"
    write_script(
        journey, members=members,
        body="        return self.model(torch.ones(2, device=self.device))",
        dataset='Squares(torch.nn.Linear(2, 2), torch.device("cuda" if torch.cuda.is_available() else "cpu"))',
    )  # fmt: skip
    # Without a GPU the worker can have the model.
    journey.row.asked = "scan train.py"
    journey.scan("train.py", first="cuda-in-dataset")
    journey.tells("num_workers=0", "the machine has no GPU, and without one the script works")


def test_fork(journey) -> None:
    """The script asks for the start method fork."""
    write_script(journey, arguments='num_workers=2, multiprocessing_context="fork"')
    journey.fails(TRAIN, saying="fork")
    journey.scan("train.py", first="fork-start-method")
    journey.edit("train.py", '="fork"', '="spawn"', 'multiprocessing_context="spawn"')
    journey.works()


def test_fork_pasted(journey) -> None:
    """The script calls set_start_method("fork"), and the person pastes the error."""
    journey.write(
        journey.project / "train.py",
        'import torch.multiprocessing as mp\n\nif __name__ == "__main__":\n    mp.set_start_method("fork")\n',
    )
    journey.fails(TRAIN, saying="cannot find context for 'fork'")
    journey.explain(first="fork-start-method")
    journey.edit("train.py", '"fork"', '"spawn"', 'set_start_method("spawn")')
    journey.works()


def test_exception_in_dataset(journey) -> None:
    """__getitem__ raises an error of the person's own code."""
    write_script(journey, body="        return [0, 1, 4][index]")
    journey.fails(TRAIN, saying="IndexError")
    journey.explain(first="dataset-raised-in-worker")
    journey.edit("train.py", "[0, 1, 4][index]", "[0, 1, 4][index % 3]", "Original Traceback")
    journey.works()


def test_worker_exits(journey) -> None:
    """A worker ends with an exit code."""
    write_script(journey, body="        import os\n        os._exit(3)")
    journey.fails(TRAIN, saying="exited unexpectedly")
    journey.explain(first="worker-exited-unexpectedly")
    journey.tells("num_workers=0", "what ends the worker is in the person's own code")


def test_worker_hangs(journey) -> None:
    """A sample takes longer than the loader's timeout."""
    write_script(
        journey, body="        import time\n        time.sleep(9 if index == 7 else 0)\n        return index",
        arguments="num_workers=2, timeout=5",
    )  # fmt: skip
    journey.fails(TRAIN, saying="timed out")
    journey.explain(first="loader-timeout")
    journey.edit("train.py", "timeout=5", "timeout=300", "timeout=300")
    journey.works()


def test_class_of_a_session(journey) -> None:
    """The dataset's class is typed in an interactive session, which no worker can import."""
    definition = "class Squares(Dataset):\n    def __len__(self): return 8\n    def __getitem__(self, index): return index\n\n"
    use = "for batch in DataLoader(Squares(), num_workers=1): print(batch)\n\n"
    journey.write(
        journey.project / "session.txt",
        f"from torch.utils.data import DataLoader, Dataset\n{definition}{use}",
    )
    journey.output = journey.type(["python -i < session.txt"]).stdout
    journey.explain(first="unpicklable-dataset")
    journey.write(journey.project / "squares.py", f"from torch.utils.data import Dataset\n{definition}")
    journey.rewrite(journey.project / "session.txt", definition, "from squares import Squares\n")
    journey.tells("move it into a `.py` file", "")
    journey.row.outcome = (
        "mended" if "tensor([7])" in journey.type(["python -i < session.txt"]).stdout else "not mended"
    )
    assert journey.row.outcome == "mended"


def test_loader_with_streams(journey) -> None:
    """A re-identification project whose loader makes CUDA streams is run as it is."""
    copy_reid_project(journey)
    journey.fails(TRAIN)
    journey.scan(".", first="background-loader-stream")
    safe = [step for step in journey.steps if "run --safe-loader" in step]
    assert safe, journey.steps
    journey.command = ["python -m torchdoctor run --safe-loader train.py"]
    journey.row.done.append("`python -m torchdoctor run --safe-loader train.py`")
    journey.works()


def test_loader_with_streams_changed(journey) -> None:
    """A re-identification project whose loader makes CUDA streams is changed by `--fix`."""
    copy_reid_project(journey)
    journey.fails(TRAIN)
    losses = journey.type(["python -m torchdoctor run --safe-loader train.py"]).stdout
    [trained] = [line for line in losses.splitlines() if line.startswith("trained: loss")]
    journey.scan(".", first="background-loader-stream")
    journey.do()
    journey.fails(TRAIN, saying="pickle")
    journey.scan(".", first="unpicklable-dataset")
    journey.do()
    journey.works(saying=trained)
    journey.passes("source", ".")


def copy_reid_project(journey) -> None:
    """Copy the re-identification project into the journey's own."""
    source = Path(__file__).parents[1] / "projects" / "fastreid_run"
    shutil.copytree(source, journey.project, dirs_exist_ok=True)
