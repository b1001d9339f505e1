"""Names, hosts, addresses and secrets are hidden in any text, and ordinary words stay."""

import ast
import html
import json
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.redaction.redacted_forms import (
    BLOCKS,
    DRESSES,
    FORMS,
    IDENTITY,
    INLINE_DRESSES,
    TEXTS,
    WORDS,
    find_marks,
)
from torchdoctor.check import Finding, Severity
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.runner import Outcome
from torchdoctor.explain.answer import Confidence
from torchdoctor.facts import SUBJECTS, Interpreter, subject_of
from torchdoctor.redaction.people.hosts import is_distinctive
from torchdoctor.redaction.redaction import Identity, redact

KEPT = (
    "/home/<user>/x 'Cookie: <secret>' failed", "run -x 'Cookie: <secret>' failed", "password:\nTraceback (most recent call last):", "token:\n  - pad:\n  - eos", "tokens:\n  1234", "token_ids:\n- 12\n- 13",
    "step,tokens,loss\n1,4096,2.5", "| token | count |\n|---|---|\n| the | 12 |", "key,value\nlr,0.1", "import token, password\nx1, y2",
    "    f(x, token)\n         └ 5", "    f(x, y)\n      │  └ 'abcd1234'\n      └ 1", "Package Version\n------- -------\ntoken   1.2.3", "echo 12.4 | tee x",
    "echo hello | python login.py", "cmd /p 8080", "python x.py /p C:\\data\\x1", "sha1: {SHA}", "login: / root", "seed: 42", "mnemonic: add", "curl -E 5",
    "name%20x", "net -U a", "torch: Connection refused", "key: abcd==", "int(token) -> 5", "トークンは10個", "$2 and $5",
    "密码是什么？", "Passwort ist falsch", "la contraseña es demasiado corta", ">>> token\n'hello'\n>>> tokens\n['a']", "['torch', 'numpy', 'c10.dll']",
    '<string name="tokenizer">abcd12</string>', 'print("password=%s is wrong")', "> a & b\n+ c\\nd",
    "User: What is it?", "USER: Hello", "User: hi", "user=user)", "f(user=marvin, x=1)", "    user=marvin,", "# split -> user=multiple", "user=args.user",
    "owner='pytorch'", "owner=self, source=source", "def f(owner: str, name: str)", "owner: VariableTracker,", "logged in as an administrator",
    "logged in as root", "the user 'input' is", "?user=FZuNgqIAAAAJ&hl=en", "for user code", "user: x", "self.owner = owner", "$user=$env:USERNAME",
    "user: hello", "user:  is it there?", "<UserId>S-1-5-18</UserId>", r"NT AUTHORITY\SYSTEM:(F)", r"BUILTIN\Administrators:(OI)(CI)(F)",
    r"C:\Windows\System32\config\systemprofile\AppData\Local\x", r"D:\data\OneDrive\x", r"D:\OneDrive\x", r"C:\Windows\Desktop",
    r"Local\Microsoft\OneDrive\OneDrive.exe", r"%USERPROFILE%\AppData\Local", r"~\AppData\Local", "src/AppData.cs", "/tmp/krb5cc_1000",
    "/tmp/pytest-of-root/x", "https://wandb.ai/authorize", "https://wandb.ai/site/research", "/user/settings", "for user 'root'@'localhost'", "Account Name:  SYSTEM",
    "os.getlogin() failed", "getpass.getuser()", "whoami is a command", "Profiles/x.json", "failed for user code",
    "HTTPSConnectionPool(host='huggingface.co', port=443)", "connect to download.pytorch.org port 443", "git@github.com:a/b.git", "git+https://github.com/openai/CLIP.git@d50d76daa670", "detectron2.git@v0.6",
    "-rw-r--r-- 1 root root 12 Jan 1 x", '"host": "0.0.0.0"', "[train.py]:2950",
    "https://例え.jp/home/page", "https://x/例/home/page", "site/home/page", "arr[0m/s] token: 5",
    r"C:\Users\Public\x", r"C:\Users\<user>\AppData\Local", r"C:\Users\%USERNAME%\x", r"C:\Users\Default User\x",
    r"C:\Users\Public is shared", r"C:\Python311\Lib\site-packages\torch\lib\shm.dll", "torch 2.8.0+cu128",
    "https://docs.pytorch.org/docs/stable/data.html", "https://github.com/pytorch/pytorch/issues/1",
    "https://download.pytorch.org/whl/cu126", "git+https://git@github.com/pytorch/pytorch", "torch~=2.8",
    "cudart 10.1.243.0", "Windows 10.0.19045.3", "nvcc: 12.4.131.0, next", "http://localhost:8080/", "http://127.0.0.1:7860",
    "[127.0.0.1]:29500", "[::1]:29500", "bind to an IPv6 address", "converge to [indexer, x]", "x[1:2:3]:4", "threading.local",
    "torch.distributed.run --master-port 1234", "00:11:22.333", "12:34:56:78", "0000:3B:00.0", "net user /?", "mysql -p db",
    "pip -p 3.11", "mkdir -p x", "python -m x -p 8000", "Linux 5.15.0 is old", "rank 0 on node 3", "[rank0]: x", "x = torch.home/2",
    "/home/", "hostname: str", "proxy=None", "C:x/users.py", "left over: ~orch, ~orch-2.3.1.dist-info", "numpy@1.26.4", "/opt/python@3.11/bin", "driver-model",
    r"'-LF:\\for-windows\\venv\\Lib', '-IG:\\magic_animate\\x'", r"C:\app\users\views.py", "/usr/lib/python3/dist-packages/django/users/models.py", r"C:\\a\\lib\\x.dll",
    r"HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet", r"NT AUTHORITY\SYSTEM", r"\\.\pipe\x", r"\\?\C:\x",
    "memcpy@GLIBC_2.2.5", "?aged@c10@@YAXXZ", "hf_hub_download", "train_hf_wav2vec2_k2.yaml", "sk-learn-contrib", "pad_token: 5, token: str",
    "unexpected token: indent", "PWD=/opt/x", "tokenizer=abc", "https://api.github.com/users/x/repos",
    "role: 'user', 'user': {", "numpy@1.26.4 is 50 % faster", r"C:\Users\<user>\OneDrive\x", "Domain: vision", r"C:\\Users\\<user>\\env",
    "def f(token=None, password=None)", "basic functionality", "bearer tokens", r"\Device\HarddiskVolume1", r"\Windows\System32",
    r"\torch\lib\c10.dll", r"'\u5f20\u4e09'", r"\d+\.\w+", r"(\s\S)",
    r"C:\Users\$USER\x", r"C:\Users\${env:USERNAME}\x", r"C:\Users\{user}\x", r"C:\Users\{}\x", r"C:\Users\..\x",
    r"C:\Users\Public, D:\x", r"C:\Users\Public;\Windows\System32", "DESKTOP-RELEASE", "win-installers", "laptop-computers",
    "two_pass=2", "2 passed", "the password must be changed", "key-value", "x[key=1]", "f(key=lambda x: x)", "first_pass=done",
    r"C:\Windows\System32\msvcp140.dll;C:\Program Files\Git\cmd", "C:\\", "", "/", "~", "~/x", "/home/", "/root/x",
)  # fmt: skip
# A machine and its user can be called like this.


@pytest.mark.parametrize(("text", "shared"), (FORMS | BLOCKS).values(), ids=FORMS | BLOCKS)
def test_hides(text: str, shared: str) -> None:
    assert IDENTITY.redact(text) == shared


@pytest.mark.parametrize("text", TEXTS, ids=FORMS)
def test_hides_within_a_text(text: str) -> None:
    surroundings = ['{}', '"{}"', "'{}'", "({})", "at {}", "{}, line 5", "x={}", "{}\nnext", "{}\tx", "`{}`"]  # fmt: skip
    shared = [IDENTITY.redact(around.format(text)) for around in surroundings]
    assert find_marks("".join(shared)) == []


@pytest.mark.parametrize("dress", [*DRESSES, *INLINE_DRESSES])
def test_hides_in_every_dress(dress: str) -> None:
    forms, put_on = (FORMS | BLOCKS, DRESSES[dress]) if dress in DRESSES else (FORMS, INLINE_DRESSES[dress])
    shared = {name: IDENTITY.redact(put_on(text)) for name, (text, _) in forms.items()}
    assert {name: text for name, text in shared.items() if find_marks(text)} == {}


def test_keeps_the_dress() -> None:
    text = 'a "quoted" word, C:\\Users\\marvin\\x\nb "é"\tpassword="hunter2"\nc "d"'
    shared = 'a "quoted" word, C:\\Users\\<user>\\x\nb "é"\tpassword="<secret>"\nc "d"'
    line = {"message": text, "next": ["&", 1]}
    assert json.loads(IDENTITY.redact(json.dumps(line))) == {**line, "message": shared}
    assert html.unescape(IDENTITY.redact(html.escape(text))) == shared


@given(
    st.sampled_from(("\n", " ", "; ", ", ", '" "', "\t")),
    st.lists(st.sampled_from((*TEXTS, *KEPT, *" \n;\"'/\\:@=", "C:", "Users")), max_size=6),
)
def test_is_idempotent_and_keeps_the_lines(between: str, texts: list[str]) -> None:
    text = between.join(texts)
    shared = IDENTITY.redact(text)
    assert (IDENTITY.redact(shared), shared.count("\n")) == (shared, text.count("\n"))


# What dresses, cut anywhere and put together in any way.
PIECES = (
    '\\"', "\\n", "\\\\", "\\u0041", "\\t", "&quot;", "&amp;", "&lt;", "['", "', '", "']", " \\\n", " ^\n", " `\n", ">>> password\n",
    "$ printenv A_TOKEN\n", "> ", "\n", '"', "'\\''", "**", "[rank0]: ", "| ", " ", "C:\\", "<secret>",
)  # fmt: skip


@given(st.lists(st.sampled_from((*TEXTS, *PIECES)), max_size=9))
def test_keeps_the_lines_of_any_dress(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert IDENTITY.redact(text).count("\n") == text.count("\n")


@pytest.mark.parametrize("text", KEPT)
@pytest.mark.parametrize("identity", [IDENTITY, *(Identity("", word, word) for word in WORDS)], ids=str)
def test_keeps_what_looks_bad(text: str, identity: Identity) -> None:
    assert identity.redact(text) == text


def test_word_of_the_program_is_hidden_where_a_host_stands() -> None:
    text = r"torch: \\torch\x, http://torch:8080/, me@torch, host=torch, [torch]:29500, https://torch.org"
    shared = (
        r"torch: \\<host>\x, http://<host>:8080/, me@<host>, host=<host>, [<host>]:29500, https://torch.org"
    )
    assert Identity("", "", "torch").redact(text) == shared


def test_user_named_like_a_folder_is_hidden_in_the_home_folder() -> None:
    assert Identity("/home/torch", "torch").redact("/home/torch/torch/lib") == "/home/<user>/torch/lib"


def test_own_home_elsewhere_is_hidden_in_every_spelling() -> None:
    text = "D:\\me\\x d:/me/x D:\\\\me\\\\x D%3A%5Cme /d/me/x D:\\men \\D:\\me"
    assert Identity("D:\\me").redact(text) == "~\\x ~/x ~\\\\x ~ ~/x D:\\men \\~"


def test_names_of_checks_and_facts_are_the_programs_own_words() -> None:
    knowledge, _ = load_knowledge()
    names = {*knowledge.entries, *(entry.family for entry in knowledge.entries.values())}
    names |= {confidence.value for confidence in Confidence} | {*map(subject_of, SUBJECTS)}
    names |= {name for fact in SUBJECTS for name in getattr(fact, "__slots__", ())}
    names |= set(_list_evidence_keys())
    assert [name for name in sorted(names) if is_distinctive(name)] == [], "add their words to own_words.txt"


def _list_evidence_keys() -> Iterator[str]:
    files = (Path(__file__).parents[2] / "checks").rglob("*.py")
    for node in (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))):
        if isinstance(node, ast.keyword) and node.arg == "evidence" and isinstance(node.value, ast.Dict):
            yield from (key.value for key in node.value.keys if isinstance(key, ast.Constant))


def test_user_of_hugging_face_is_hidden() -> None:
    assert IDENTITY.redact("user:  Trillian M\norgs:  a,b") == "user:  <user>\norgs:  a,b"


def test_key_that_only_begins_is_hidden() -> None:
    assert IDENTITY.redact("-----BEGIN PRIVATE KEY-----") == "-----BEGIN PRIVATE KEY-----<secret>"


def test_secret_variable_is_hidden_whole() -> None:
    variables = (("TORCH_TOKEN", "x y"), ("PYTHONPATH", "C:\\x"), ("CUDA_KEYRING", "a"))
    assert redact(variables, Identity())[0] == ("TORCH_TOKEN", "<secret>")


@pytest.mark.parametrize("text", TEXTS, ids=FORMS)
def test_nothing_is_left_in_a_key(text: str) -> None:
    outcome = Outcome("a-check", "failed", Severity.NOTE, (Finding("a", evidence={text: {text: text}}),))
    assert find_marks(str(redact(outcome, IDENTITY))) == []


def test_keys_that_become_the_same_keep_their_values() -> None:
    shared = redact({"/home/marvin": 1, "/home/trillian": 2, "/home/<user>": 3}, IDENTITY)
    assert sorted(shared.values()) == [1, 2, 3] and find_marks(str(shared)) == []


def test_variable_is_hidden_by_its_name() -> None:
    variables = (("TORCHINDUCTOR_REDIS_HOST", "vogsphere.de"), ("TORCHINDUCTOR_REDIS_USERNAME", "marvin"),
                 ("NCCL_COMM_ID", "vogsphere:1234"), ("MASTER_ADDR", "vogsphere"), ("TORCH_LOGS", "dynamo"))  # fmt: skip
    shown = [value for _, value in redact(variables, Identity())]
    assert shown == ["<host>", "<user>", "<host>:1234", "<host>", "dynamo"]


def test_secret_is_hidden_behind_a_key_that_names_it() -> None:
    assert redact({"HF_TOKEN": "abc"}, IDENTITY) == {"HF_TOKEN": "<secret>"}


def test_keeps_values_that_are_not_text() -> None:
    assert redact({"a": (1, None, True, 2.5)}, IDENTITY) == {"a": (1, None, True, 2.5)}


def test_hides_in_paths_and_sets() -> None:
    value = (PureWindowsPath(r"C:\Users\marvin\x"), frozenset({"/home/marvin"}))
    assert find_marks(str(redact(value, IDENTITY))) == []


def test_record_keeps_its_type() -> None:
    interpreter = Interpreter(
        r"C:\Users\Marvin\p.exe", "3.12.4", "CPython", 64, "x64", "win-amd64", "a", "b", "c",
        import_path=(r"C:\Users\Marvin\lib",),
    )  # fmt: skip
    shared = redact(interpreter, IDENTITY)
    assert (shared.executable, shared.import_path) == (r"C:\Users\<user>\p.exe", (r"C:\Users\<user>\lib",))
