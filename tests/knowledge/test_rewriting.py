"""New environments are made with conda where the text shows it."""

from torchdoctor.knowledge.rewriting import name_script, write_for_conda

ACTIVATED = """Make one:

   ```powershell
   py -3.11 -m venv C:\\envs\\torch
   C:\\envs\\torch\\Scripts\\Activate.ps1
   python -m pip install torch
   ```

   To undo, delete the folder."""
NAMED = """Make one:

   ```powershell
   py -3.12 -m venv C:\\envs\\torch
   C:\\envs\\torch\\Scripts\\python.exe -m pip install torch
   ```"""


def test_environment_is_made_and_activated_with_conda() -> None:
    made, named, other = write_for_conda((ACTIVATED, NAMED, "Restart Windows."))
    assert "conda create -y -n torch python=3.11\n   conda activate torch\n   python -m pip" in made
    assert "To undo, type `conda env remove -n torch`." in made
    assert "conda create -y -n torch python=3.12\n   conda activate torch\n   python -m pip" in named
    assert other == "Restart Windows."


def test_script_of_the_text_stands_in_commands() -> None:
    step = "Start `train.py`:\n\n   ```powershell\n   python train.py --workers 0\n   ```"
    assert name_script((step,), "main.py")[0] == step.replace("python train.py", "python main.py")
