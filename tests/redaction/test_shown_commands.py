"""Commands in lines of evidence: what is typed behind a prompt, and what Python quotes in an error."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.redaction.shown_commands import FILLER, leave_out_private_texts, leave_out_private_words

KNOWLEDGE = load_knowledge()[0]
STORE = (
    "Python was not found; run without arguments to install from the Microsoft Store, or disable this shortcut"
    " from Settings > Manage App Execution Aliases."
)
SECRETS = [
    "Gartenzwerg",
    "Sommer2024!",
    "tr0ub4dor7",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKE",
    "correct-horse",
]
# Whatever the option is called, and whatever program it is given to.
FORMS = [
    "python train.py -p {}", "python train.py --user bob:{}", "python train.py --login bob {}", "python train.py --zip-pw={}",
    "python train.py --set password {}", "python train.py --cfg 'api_key: {}'", "python train.py --newpass {} --epochs 3",
    "python train.py --clave {}", "python train.py wandb.key={}", "python -c \"connect('db', '{}')\"", "7z x data.7z -p{}",
    "unzip -P {} a.zip", "mongosh -u bob -p {}", "net user bob {} /add", "sqlplus bob/{}@orcl", "smbclient //srv/share {} -U bob",
    "dvc remote modify origin password {}", "vault kv put secret/x pw={}", "heroku config:set KEY={}", "ldapsearch -w {}",
    "python train.py 密码：{}", "python train.py --opts DB.PASSWORD {} SOLVER.LR 0.1", "set KEY={} && python train.py",
]  # fmt: skip
PLACES = [
    "C:\\proj> {command}\n{store}", "PS C:\\proj> {command}\n{store}", "$ {command}\n{store}", "(venv) C:\\proj>{command}\n{store}",
    "subprocess.CalledProcessError: Command '{command}' returned non-zero exit status 3221225477.",
    "subprocess.CalledProcessError: Command '{items}' returned non-zero exit status 3221225477.",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", FORMS)
def test_no_word_of_a_command_gives_a_secret_away(place: str, form: str) -> None:
    for secret in SECRETS:
        command = form.format(secret)
        text = place.format(command=command, items=command.split(), store=STORE)
        explanation = explain(text, KNOWLEDGE)
        assert explanation.recognised or '"' in command
        printed = repr((explanation.diagnoses, explanation.values))
        assert secret not in printed and secret.rpartition("/")[2] not in printed, printed


@pytest.mark.parametrize("width", [60, 72, 80, 100])
@pytest.mark.parametrize(
    "form", ["python -m torch.distributed.run train.py --password {}", "python train.py -x {} --y"]
)
def test_no_piece_of_a_quoted_command_is_left_where_a_console_breaks_it(form: str, width: int) -> None:
    for secret in ("Gartenzwergin2024", "geheimnisvollste"):
        line = f"subprocess.CalledProcessError: Command '{form.format(secret)}' returned non-zero exit status 3221225477."
        text = "\n".join(line[start : start + width] for start in range(0, len(line), width))
        printed = repr(explain(text, KNOWLEDGE).diagnoses)
        assert [secret[i : i + 7] for i in range(len(secret) - 6) if secret[i : i + 7] in printed] == []


@pytest.mark.parametrize(
    "line",
    [
        r"C:\ml> python train.py --lr 0.001 --device cuda configs/a.yaml",
        r"PS C:\ml> pip install torch==2.1.0+cu121 torchvision --index-url https://download.pytorch.org/whl/cu121",
        r'C:\ml> python -c "import torch; print(torch.cuda.is_available())"',
        r"C:\ml> python -m torch.distributed.run train.py",
        "Command 'python train.py --epochs 3' returned non-zero exit status 1.",
        "python 3.9 was found in this folder, and torch does not start",
        "RuntimeError: Command failed",
        "> RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "# Torch is not able to use GPU; add --skip-torch-cuda-test to the variable",
        "100%|##########| 12/12 The paging file is too small for this operation",
        "5% done, and the paging file is too small",
        ">>> import torch; torch.cuda.is_available()",
        "python 3.10 with torch==2.1.0+cu121 does not see my GPU = why?",
    ],
)
def test_public_words_of_a_command_stay(line: str) -> None:
    assert leave_out_private_words(line) == line


def test_a_line_keeps_its_length() -> None:
    line = r"C:\ml> python train.py --hub-key=geheimnisvoll xyzzyplugh"
    shown = leave_out_private_words(line)
    assert len(shown) == len(line)
    assert shown.replace(FILLER, "") == r"C:\ml> python train.py --hub-key=... ..."


@pytest.mark.parametrize(
    "code",
    [
        "loader = DataLoader(Rows(pymysql.connect('localhost', 'root', '{}')), num_workers=8)",
        'loader = DataLoader(SQLDataset("localhost", "root", "{}", "db"), num_workers=8)',
        "loader = DataLoader(Rows(key='{}'), num_workers=8)",
        "loader = DataLoader(Rows({{'auth': ['bob', '{}']}}), num_workers=8)",
    ],
)
def test_no_text_of_code_gives_a_secret_away(code: str) -> None:
    for secret in SECRETS:
        text = (
            f'Traceback (most recent call last):\n  File "C:\\proj\\train.py", line 8, in <module>\n    {code.format(secret)}\n'
            "RuntimeError: DataLoader worker (pid 4712) exited unexpectedly"
        )
        explanation = explain(text, KNOWLEDGE)
        assert explanation.recognised
        assert secret not in repr(explanation)


def test_public_texts_of_code_stay() -> None:
    code = "torch.multiprocessing.set_start_method('spawn'); open('out/a.txt', 'w'); x.to('cuda')"
    assert leave_out_private_texts(code) == code
