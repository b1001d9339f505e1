"""Arguments of a command that anybody may see, and lists of them, also cut off by a console."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.redaction.arguments import is_public_argument, leave_out_private_arguments

KNOWLEDGE = load_knowledge()[0]
PASSWORDS = ["geheimnisvoll", "P@ssw0rd202483", "Fluffy916&", "Sommer2024", "correct-horse", "My.Dog.2019"]


@pytest.mark.parametrize(
    "word",
    ["train.py", "C:\\data\\coco", "configs/a.yaml", "--lr", "1e-4", "0.001", "--epochs=90", "True", "cuda", "bbox", "./out",
     "pkg.train", "0,1", "model.bin"],
)  # fmt: skip
def test_argument_that_anybody_may_see(word: str) -> None:
    assert is_public_argument(word)


@pytest.mark.parametrize(
    "word", [*PASSWORDS, "https://bob:x@host/a", "--key=geheimnisvoll", "u6rNmlMhv2dIf/yX6Eqndkfk0OsgJ+AdQ=="]
)
def test_argument_that_can_be_a_secret(word: str) -> None:
    assert not is_public_argument(word)


@pytest.mark.parametrize("password", PASSWORDS)
@pytest.mark.parametrize("width", [60, 79, 80, 100, 120, 132, 1000])
@pytest.mark.parametrize(
    "arguments",
    [
        "'--hub_token={}'",
        "'--mysql_password', '{}'",
        "'-p', '{}'",
        "'--api-auth', 'bob:{}'",
        "'--login', '{}'",
        "'mysql', '-p{}'",
    ],
)
def test_no_list_of_arguments_gives_a_secret_away(password: str, width: int, arguments: str) -> None:
    error = (
        "subprocess.CalledProcessError: Command '['C:\\\\Users\\\\bob\\\\kohya_ss\\\\venv\\\\Scripts\\\\python.exe',"
        f" 'train_network.py', {arguments.format(password)}, '--lr', '0.001']' returned non-zero exit status 3221225477."
    )
    text = "\n".join(error[start : start + width] for start in range(0, len(error), width))
    explanation = explain(text, KNOWLEDGE)
    # A line may be broken within the exit status.
    assert explanation.recognised or width < 1000
    printed = repr((explanation.diagnoses, explanation.values))
    assert [password[i : i + 8] for i in range(len(password) - 7) if password[i : i + 8] in printed] == []


def test_a_list_keeps_what_anybody_may_see() -> None:
    text = (
        "Command '['C:\\\\v\\\\python.exe', 'train.py', '--lr', '0.001', '--name', 'xyzzyplugh']' returned 1"
    )
    assert leave_out_private_arguments(text) == text.replace("xyzzyplugh", "...")
    assert leave_out_private_arguments("it's a 'word', and another's") == "it's a 'word', and another's"


@pytest.mark.parametrize("width", [80, 1000])
def test_address_in_the_place_of_a_path_is_no_value(width: int) -> None:
    error = "OSError: [Errno 22] Invalid argument: 'https://acme.example.net/c/m.pt?sv=2022&sig=xBqwKjrtiWKXl1TmN8zAl3sGmp8yHusE2QrvymD'"
    text = "\n".join(error[start : start + width] for start in range(0, len(error), width))
    explanation = explain(text, KNOWLEDGE)
    assert "path" not in explanation.values
    assert "N8zAl3sGmp8y" not in repr((explanation.diagnoses, explanation.values))
