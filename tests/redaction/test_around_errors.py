"""What stands beside an error on its line is not shown where it may be a secret."""

import random
import string

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.explain.text.shown_lines import is_told, show_line
from torchdoctor.redaction.around_errors import hide_around_error

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
    hidden = hide_around_error(text, len(text), len(text))
    assert hidden.endswith("<secret> ")
    assert not any(
        word in hidden for word in ("letmein", "battery", "hunter2", "iloveyou", "Sommer", "dog", "bob")
    )


@pytest.mark.parametrize("text", ["ran as VOGON\\jeltz ", "at 10:00 user=jeltz ", "db_owner: jeltz "])
def test_account_is_left_out(text: str) -> None:
    assert "jeltz" not in hide_around_error(text, len(text), len(text))


@pytest.mark.parametrize("text", ["in LIB\\x64 of CUDA\\v12.1 ", "user=None ", "owner: torch "])
def test_word_in_the_place_of_an_account_stays(text: str) -> None:
    assert hide_around_error(text, len(text), len(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "I upgraded with %pip install -U torch and python -u train.py in the notebook, and the tokens were right. ",
        "2026-11-28 10:00:00 INFO the tokenizer has 32000 tokens and a pad token ",
        "C:\\app>python -m torch.distributed.run --nproc_per_node 2 train.py ",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert hide_around_error(text, len(text), len(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "with token=None, pass=1 and google-auth==2.23",
        "give it --token <your token>",
        "the card has sm_120, NVIDIA GeForce RTX 4090D, python310.dll, torch-2.5.1+cu124-cp311-cp311-win_amd64.whl",
        'Error loading "C:\\Users\\a\\venv\\lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.',
    ],
)
def test_what_an_error_says_stays(text: str) -> None:
    assert hide_around_error(f"{ERROR} {text}", 0, len(ERROR)) == f"{ERROR} {text}"


@pytest.mark.parametrize("joint", JOINTS, ids=repr)
def test_no_label_is_needed_beside_an_error(joint: str) -> None:
    chance = random.Random(joint)
    for label in LABELS:
        value = "".join(chance.choices(string.ascii_letters + string.digits, k=32))
        for text in (f"{label}{joint}{value} {ERROR}", f"{ERROR} {label}{joint}{value}"):
            diagnosis = explain(text, KNOWLEDGE).diagnoses[0]
            assert diagnosis.name == "paging-file-too-small"
            assert [each.text for each in diagnosis.evidence if value in each.text] == [], text


@pytest.mark.parametrize(
    "behind",
    [
        "creds: bob / Tr0ub4dorX9k!",
        "login failed for bob:Tr0ub4dorX9k!",
        "-U bob%Tr0ub4dorX9k",
        "//bob:Tr0ub4dorX9k@nas/share",
        "https://Tr0u/b4dorX9k:x-oauth-basic@github.com/o/r.git",
        "https://bob:Tr0ub4dorX9k",
        "https://x.example/y?d=%7B%22password%22%3A%22Tr0ub4dorX9k%22%7D",
        "--token%20Tr0ub4dorX9k",
        "password: my Tr0ub4dorX9k pass",
        "TOKEN Tr0ub4dorX9k!",
        "| password | Tr0ub4dorX9k |",
        "password='{Tr0ub4dorX9k}'",
        'login("bob", "b4dorX9k")',
        "unzip -P b4dorX9k x.zip",
    ],
)
@pytest.mark.parametrize("error", [ERROR, "RuntimeError: CUDA error: device-side assert triggered"])
def test_no_secret_is_shown_behind_an_error(error: str, behind: str) -> None:
    explanation = explain(f"{error}  {behind}", KNOWLEDGE)
    shown = [each.text for diagnosis in explanation.diagnoses for each in diagnosis.evidence]
    if explanation.program_error is not None:
        shown.append(explanation.program_error.evidence.text)
    assert shown
    assert not any("b4dorX9k" in each for each in shown)


def test_a_proof_is_found_in_a_line_that_is_written_otherwise() -> None:
    line = "10:00:01 worker-3 OSError: [WinError 1455]  The paging   file is too"
    assert show_line(line, "[WinError 1455] The paging file is too small") == line.removeprefix(
        "10:00:01 worker-3 "
    )
    assert (
        show_line("password: b4dorX9k The paging  file", "The paging file")
        == "password: <secret> The paging  file"
    )


@pytest.mark.parametrize(
    "text",
    [
        "login: bob Sommer2024",
        "user/pass bob/Sommer2024",
        "input your password> Sommer2024",
        "clave: Sommer2024",
        "AKIAIOSFODNN7EXAMPLE wJalr/XUtnFEMI7K9MDENG/bPxRfiCYzExAmPlEkEy",
        'key "pT8k/3Jx+Lm0QzXw81TbV6nR4sYd2FgHjK5lNcVbM7aWeUiOpAsDfGhJkLzXcVbNmQwErTyUiOpLkJhGfDsA2w=="',
        "of the admin hunter2!Blau",
        "as always with Tr0ub4dor&3",
    ],
)
def test_word_of_no_known_shape_is_left_out(text: str) -> None:
    value = text.replace('"', " ").split()[-1]
    for hidden in (hide_around_error(text, 0, 0), hide_around_error(f"{ERROR} {text}", 0, len(ERROR))):
        assert value not in hidden
        assert "Sommer" not in hidden


@pytest.mark.parametrize(
    "text",
    [
        "NumPy, PyTorch, xFormers, GeForce, ROCm, vLLM, LoRA, GPT-SoVITS and ComfyUI-TRELLIS2",
        "tried to allocate 24.00 MiB (GPU 0; 6.00 GiB total; 12it/s, 1.5e-4, 50%, 3/100)",
        "我的显卡是3070ti，torch版本是2.2.1+cu121，GPU使用率0%",
        "cudnn_cnn_infer64_8.dll, upfirdn2d_plugin, fp16, sm_120, cp311, win_amd64, 0xC0000005, v3.10.6",
        "?decref_pyobject@TensorImpl@c10@@UEBAXXZ in torch_cpu.dll, cublasLtGetStatusString",
        'in "C:\\Users\\me\\AppData\\Local\\Temp\\pip-install-dvudl9jd\\x\\tmpw4u2e0rs\\cuda_utils.c"',
        "https://download.pytorch.org/whl/cu118 and https://github.com/a-b/c_d/issues/123",
        "model.diffusion_model.input_blocks.0.0.weight --num_workers=4 --lr 1e-5 -fPIC",
        "2024-01-01T12:30:01.123 [W1120 10:49:03.000000000 socket.cpp:764]",
    ],
)
def test_shapes_of_messages_stay(text: str) -> None:
    assert hide_around_error(text, 0, 0) == text


def break_lines(text: str, width: int) -> str:
    return "\n".join(
        line[start : start + width] for line in text.split("\n") for start in range(0, len(line), width)
    )


@pytest.mark.parametrize("width", [60, 72, 79, 80, 100, 120])
@pytest.mark.parametrize(
    "form",
    [
        "set HF_TOKEN={} && python train.py", "wandb login {}", "git clone https://bob:{}@github.com/x/y.git",
        "train.py --hf_token {} --num_workers 4", "D:\\models\\{}\\model.bin", "sk-{}", "token {}", "{}",
        "C:\\Temp\\setup.py --key {}", "export X={}",
    ],
)  # fmt: skip
def test_no_piece_is_left_where_a_console_breaks_a_line(form: str, width: int) -> None:
    chance = random.Random(f"{form}{width}")
    for _ in range(12):
        value = "".join(chance.choices(string.ascii_letters + string.digits, k=chance.choice((32, 40))))
        words = chance.choices(
            ["python", "train.py", "--lr", "1e-4", "loading", "C:\\data"], k=chance.randrange(12)
        )
        typed = " ".join([*words, form.format(value)])
        error = chance.choice(
            [ERROR, "DLL load failed while importing _C: The specified module could not be found."]
        )
        text = break_lines(
            chance.choice([f"{typed}\n{error}", f"{error}\n{typed}", f"{error} {typed}"]), width
        )
        printed = repr(explain(text, KNOWLEDGE))
        assert [value[i : i + 10] for i in range(len(value) - 9) if value[i : i + 10] in printed] == [], text


@pytest.mark.parametrize(
    "password", ["geheimnisvoll", "correct-horse", "DragonDRAGON", "Hjalmar_1987*", "My.Dog.2019"]
)
@pytest.mark.parametrize(
    "command",
    [
        "7z x weights.7z -p{}", 'unrar x "-p{}" a.rar', r"net use * \\filer\ml /u:bob {}", "net user bob {} /add",
        "python train.py --key {}", '$s = "{}" | ConvertTo-SecureString -AsPlainText -Force', "sqlplus system/{}",
        "ldapsearch -x -w {} -b dc=x", "schtasks /create /ru bob /rp {}", "ssh-keygen -p -P {} -f k", 'gh secret set HF -b"{}"',
        "rasdial VPN bob {}", "bitsadmin /setcredentials job SERVER BASIC bob {}", "rclone obscure {}", "vault kv put secret/x value={}",
        "steamcmd +login bob {}", "mc alias set x https://example.org bob {}", "keyring set x bob {}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("prompt", [r"C:\ml>", r"PS C:\ml> ", "$ ", "(venv) $ "])
def test_typed_line_that_only_shares_words_is_not_shown(command: str, password: str, prompt: str) -> None:
    name = command.split()[0]
    text = (
        f"{prompt}{command.format(password)}\n'{name}' is not recognized as an internal or external command,"
    )
    explanation = explain(text, KNOWLEDGE)
    assert explanation.diagnoses
    assert password not in repr(explanation)


@pytest.mark.parametrize(
    "value", ["7b8e260dc6efe44e19590eb92663ae82", "dpQYUkvtSJuXLuHL", "skxi2fguq937foe3ukfo", "geheimnisvoll"]
)
@pytest.mark.parametrize(
    "error",
    [
        "requests.exceptions.SSLError: HTTPSConnectionPool(host='dl.example.io', port=443): Max retries exceeded with url:"
        " /{}/corp/simple/torch/ (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]"
        " certificate verify failed: unable to get local issuer certificate (_ssl.c:1129)')))",
        "WARNING: Retrying (Retry(total=4)) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL:"
        " CERTIFICATE_VERIFY_FAILED] certificate verify failed'))': /{}/corp/ml/python/simple/torch/",
        "Could not fetch URL https://dl.example.io/{}/corp/simple/torch/: There was a problem confirming the ssl certificate:"
        " HTTPSConnectionPool(host='dl.example.io', port=443): Max retries exceeded with url: /{}/corp/simple/torch/"
        " (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed')))",
    ],
)
def test_path_of_an_address_is_left_out(error: str, value: str) -> None:
    explanation = explain(error.replace("{}", value), KNOWLEDGE)
    assert explanation.recognised
    assert value not in repr(explanation)


@pytest.mark.parametrize(
    "label", ["Schlüssel: {}", "clé = '{}'", "chave: {}", "vnc_pw => {}", "key = b'{}'", "<Value>{}</Value>"]
)
def test_value_of_an_unknown_label_is_left_out(label: str) -> None:
    assert "geheimnisvoll" not in hide_around_error(f"{ERROR} {label.format('geheimnisvoll')}", 0, len(ERROR))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Nothing happens when I start the training on my new laptop", True),
        ("模型 loads and then the whole computer restarts without any message", True),
        (r"C:\ml>pip install torch and then nothing happens at all", False),
        ("python train.py with many words behind it and --lr 1", False),
        ("rclone obscure secret", False),
    ],
)
def test_sentence_is_told_and_a_command_is_typed(line: str, told: bool) -> None:
    assert is_told(line) is told
