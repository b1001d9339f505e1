"""What stands before an error on its line is not shown where it may be a secret."""

import random
import string

import pytest

from torchdoctor.domain.before_errors import hide_before_error
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain

KNOWLEDGE = load_knowledge()[0]
ERROR = "OSError: [WinError 1455] The paging file is too small for this operation to complete."
# Labels that no list of names has, in the tongues of Windows, and ways to set a value.
LABELS = (
    "clé", "jeton", "mdp", "Schlüssel", "llave", "chiave API", "klucz", "ключ доступа", "暗号", "암호", "anahtar",
    "sleutel", "nøkkel", "avain", "kulcs", "klíč", "chìa khóa", "กุญแจ", "מפתח", "مفتاح", "ĸey of mine",
    "Paste it here and hit enter", "Answer for 'https://example.com'", "setting the variable to", "logging in as me with",
)  # fmt: skip
JOINTS = (": ", "=", " = ", "\t", "    ", " -> ", "：", " <- ", ":\n", " =\n  ", "=^\n", "=`\n")


@pytest.mark.parametrize(
    "text",
    [
        "10:00:01 ERROR svc password: letmein ",
        "passphrase: correct horse battery staple ",
        'login("bob", "letmein") ',
        "wandb login hunter2 ",
        "hf_token: iloveyou ",
        "train.py -u bob77 -p Sommer2024! 2>&1 | ",
        "PASSWORD=my dog 7 ",
    ],
)
def test_all_behind_the_name_of_a_secret_is_hidden(text: str) -> None:
    hidden = hide_before_error(text)
    assert hidden.endswith("<secret> ")
    assert not any(
        word in hidden for word in ("letmein", "battery", "hunter2", "iloveyou", "Sommer", "dog", "bob")
    )


@pytest.mark.parametrize(
    "text",
    [
        "I upgraded with %pip install -U torch and python -u train.py in the notebook, and the tokens were right. ",
        "2026-11-28 10:00:00 INFO the tokenizer has 32000 tokens and a pad token ",
        "C:\\app>python -m torch.distributed.run --nproc_per_node 2 train.py ",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert hide_before_error(text) == text


@pytest.mark.parametrize("joint", JOINTS, ids=repr)
def test_no_label_is_needed_before_an_error(joint: str) -> None:
    chance = random.Random(joint)
    for label in LABELS:
        value = "".join(chance.choices(string.ascii_letters + string.digits, k=32))
        text = f"{label}{joint}{value} {ERROR}"
        diagnosis = explain(text, KNOWLEDGE).diagnoses[0]
        assert diagnosis.name == "paging-file-too-small"
        assert [each.text for each in diagnosis.evidence if value in each.text] == [], label
