"""Secrets are hidden by the name, the joint and the value of a setting, in every combination, and words stay.

The parts are listed, and the product of them is tried: a form that is hidden with one name or one value is hidden
with all of them.
"""

import itertools
import json
import random
import re
import time
from pathlib import Path

import pytest

from tests.redaction.redacted_forms import DRESSES
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.redaction.secrets.hide import hide_secrets
from torchdoctor.redaction.secrets.secret_names import Strength, rate_name
from torchdoctor.renderers.explanation import render_json

SAMPLES = Path(__file__).parents[1] / "samples"
IDENTITY = Identity()
NAMES = (
    "HF_TOKEN", "WANDB_API_KEY", "AWS_SECRET_ACCESS_KEY", "KAGGLE_KEY", "AZURE_STORAGE_KEY", "DB_PASS", "PGPASSWORD",
    "MYSQL_PWD", "password", "passwd", "passphrase", "api_key", "apikey", "apiKey", "API-Key", "x-api-key",
    "access_token", "authToken", "client-secret", "clientSecret", "secret", "secret_key", "private_key", "signing_key",
    "userPassword", "dbPassword", "db.password", "storepass", "credentials", "use_auth_token", "connection_string",
    "Passwort", "contraseña", "пароль", "密码",
)  # fmt: skip
# Joints whose value is quoted, or ends where the text or the element around it ends.
JOINTS = (
    '{n}="{v}"', "{n}='{v}'", '{n} = "{v}"', '{n}: "{v}"', '"{n}": "{v}"', "'{n}': '{v}'", '"{n}" => "{v}"',
    '{n}: str = "{v}"', '{n}: Optional[str] = "{v}"', '{n} == "{v}"', '{n}:="{v}"', "{n}=b'{v}'", 'b"{n}": b"{v}"',
    '--{n} "{v}"', "--{n} '{v}'", '--{n}="{v}"', "['x.py', '--{n}', '{v}']", "['x.py', '--{n}={v}']",
    '["--{n}", "{v}"]', '-{n} "{v}"', 'setx {n} "{v}"', '$env:{n}="{v}"', 'export {n}="{v}"', 'set "{n}={v}"',
    'os.environ["{n}"] = "{v}"', "os.environ['{n}']='{v}'", 'f({n}="{v}", x=1)', "Namespace({n}='{v}', lr=1)",
    '{n}=SecretStr("{v}")', '{{"name": "{n}", "value": "{v}"}}', '<add key="{n}" value="{v}" />',
    "- name: {n}\n  value: '{v}'", "Name  : {n}\nValue : '{v}'", "{n}: got '{v}'", '{n}=["{v}"]', '"{n}": {{"value": "{v}"}}', '**{n}:** "{v}"', '"{n}":\n  "{v}"',
    '{n} = "a" + "{v}"', '{n} = "a"\n    "{v}"', 'if "{v}" == {n}:', "assert '{v}' == os.environ['{n}']", '{{"value": "{v}", "name": "{n}"}}',
    '{n}: dict[str, str] = {{"a": "{v}"}}', 'cfg["{n}"]["value"] = "{v}"', "{n}[0] = '{v}'", '{n}=lambda: "{v}"',
    'variable "{n}" {{\n  type = string\n  default = "{v}"\n}}', 'Set-Item -Path Env:{n} -Value "{v}"', 'gh secret set {n} -b"{v}"',
    '{n} = os.getenv("X") or "{v}"', "{n} = x if y else '{v}'", "{n} = 'a' if y == 'b' else '{v}'", '{n} = os.environ.get("X", "{v}")',
    '"{n}": x or self.y(1) or "{v}", "a": 1', 'const {n} = x ? y : "{v}";', "{n} = process.env.X ?? '{v}'", '{n} = "ab7c" + x + "{v}"',
    '{n} = x or \\\n    "{v}"', '{n} = "{v}" if y else z', "export {n}='ab'\\''{v}'", "f({n}=x or '{v}', y=1)",
    'add_argument("--{n}", default="{v}")', '[Environment]::SetEnvironmentVariable("{n}", "{v}", "User")',
)  # fmt: skip
# Values that no white space ends.
BARE_JOINTS = (
    "{n}={v}", "{n}: {v}", "{n} = {v}", "--{n} {v}", "--{n}={v}", "export {n}={v}", "set {n}={v}", "setx {n} {v}",
    "-e {n}={v}", "ENV {n} {v}", "%env {n} {v}", "set -x {n} {v}", "{n}:={v}", "{n}%3D{v}", "https://a.org/x?{n}={v}&b=1",
    "{n}: !!str {v}", "{n}: &pw {v}", "{n}:\n  - {v}", "{n}:\n  value: {v}", "[{n}]\nvalue={v}", "    {n}    REG_SZ    {v}",
    "reg add HKCU\\Environment /v {n} /t REG_SZ /d {v} /f", "gh secret set {n} --body {v}", "New-Item -Name {n} -Value {v}",
    '<setting name="{n}"><value>{v}</value></setting>', "<{n}><![CDATA[{v}]]></{n}>", "<td>{n}</td><td>{v}</td>", "<td><code>{n}</code></td><td><code>{v}</code></td>", "Name  : {n}\nValue : {v}", "<b>{n}</b>: {v}",
    "{n} → {v}", "{n} - {v}", "{n} — {v}", "{n} :: {v}", "{n} ..... {v}", "{n} ({v})", "{n} [{v}]", "{n},{v}", "{n};{v}", "my {n} is: {v}",
    "{n} set to {v}", "{n} must be 40 characters, got {v}", "{n} has 18 characters, expected 40: {v}",
    "`{n}`: `{v}`", "<{n}>{v}</{n}>", "/{n}:{v}", "name: {n}, value: {v}", "{n} is {v}", "| {n} | {v} |", "{n}\t{v}",
)  # fmt: skip
# Joints that a list of names has as well; the values are none.
LISTS = (
    '("{n}", "{v}")',
    'os.environ.setdefault("{n}", "{v}")',
    'os.getenv("{n}", "{v}")',
    '"{n}","{v}"',
    '"{n}";"{v}"',
    'x = os.environ.get("{n}") or "{v}"',
    '{n} or "{v}"',
)
VALUES = (
    "hunter2Swordfish", "Tr0ub4dor&3Swordfish", "p@ss/w0rd!Swordfish", "a,b;c(d)Sword7fish", "$2b$12$abcSwordfish",
    "{abc}9Swordfish", "<abc>8Swordfish", "abc:def7Swordfish", "3c5f0a9b1d2e4f60Swordfish", "pässwörd1Swordfish",
)  # fmt: skip
QUOTED_VALUES = ("correct horse Swordfish", r"ab\"7Swordfish", r"C\\d7Swordfish", "Swordfish")
SURROUNDINGS = (
    "{}", "OSError: [WinError 1455] The paging file is too small. {}", "({})", "{}, line 5", "x; {}; y", "{}\nnext", "[rank0]: {}",
)  # fmt: skip
# Lines that say by their form that a word is a value, and words.
WORD_JOINTS = (
    "db: {{user: x, {n}: {v}}}", "{{{n}: {v}, user: x}}", "({U}: {v})", "export {n}={v}", "error: {n}: {v}", "12:00:01 INFO {n}: {v}", "- {n}: {v}", "x -{n}:{v}", "x /{n}:{v}", "  {n}: {v}  # the old one",
    "('{n}', '{v}')", '[("a", "b"), ("{n}", "{v}")]', "x: 1, {U}: {v}, y", "curl -H 'X-{n}: {v}' h", "[{U}: {v}]", '{n}="{v}"', "{n}: {v}",
)  # fmt: skip
WORD_NAMES = (
    "password",
    "passwd",
    "api_key",
    "client-secret",
    "apiKey",
    "HF_TOKEN",
    "secret",
    "serial_key",
    "db_pw",
)
WORDS = ("swordfish", "jellyfish", "Goldfish")
# The names of commands and services, with what they are told.
COMMANDS = (
    "user bob, pass {v}", "login bob pw {v}", "username: bob, password {v}", "密码{v}", "账号bob密码{v}", "パスワードは{v}",
    "passkey={v}", "accesscode={v}",
    "requests.get(u, auth=('bob', '{v}'))", "HTTPBasicAuth('bob', '{v}')", "['curl', '-u', 'bob:{v}']",
    "curl -u bob:{v} https://a.org", "https://bob:{v}@a.org/simple", "Authorization: Bearer {v}",
    '{{"Authorization": "Basic {v}"}}', "cookies={{'session': '{v}'}}", "Cookie: session={v}; a=b",
    '"private_key": "-----BEGIN PRIVATE KEY-----\\nMII{v}\\n{v}\\n-----END PRIVATE KEY-----\\n"',
    "wandb login --relogin {v}", 'wandb login --host=https://a.org "{v}"', "wandb.login(relogin=True, key='{v}')", "wandb.login('host', '{v}')", "notebook_login('{v}')", "server.login('bob', '{v}')", "HfApi('https://h', '{v}')",
    "Experiment('{v}', project='x')", 'Task.set_credentials(key="{v}", x=1)', "unzip -P {v} a.zip", "Authorization: Negotiate {v}",
    "ALTER USER bob IDENTIFIED BY '{v}'", 'curl -b "session={v}" h', "illegal multibyte sequence token='{v}'", "access token=Swordfish",
    'wandb.login(key="{v}")', "wandb login {v}", "docker login -u bob -p {v}", "Password for a@b.org: {v}",
    "redis-cli -h h -a {v} ping", "redis-cli --pass {v}", "sqlcmd -S h -U sa -P {v} -Q x", "bcp x out y -U sa -P{v}", "lftp -u bob,{v} sftp://h",
    "openssl enc -aes-256-cbc -k {v} -in x", "localhost:5432:mydb:bob:{v}", "*:*:*:bob:{v}",
    "poetry publish -u bob -p {v}", "uv publish -t {v}", "swanlab login -k {v}", "anaconda -t {v} upload x", "mongosh -u bob -p {v} h", "ldapsearch -x -w {v} -b x",
    "htpasswd -b f bob -p {v}", "xfreerdp /u:bob /p {v}", "smbclient -U bob%{v} //h/s", "poetry config http-basic.x bob {v}", "poetry config pypi-token.x {v}",
    "vault login {v}", "gh secret set N --body {v}", "rabbitmqctl add_user bob {v}", "ssh-keygen -t rsa -N {v} -f x", "echo {v} | sudo -S apt", "jdbc:oracle:thin:bob/{v}@h:1521",
    "gh auth login --with-token <<< {v}", "echo {v} | gh auth login --with-token", "printf '{v}' | passwd --stdin bob", "useradd -p {v} bob",
    "rpcclient -U CORP/bob%{v} h", "rar a -hp{v} x", "htpasswd -b f bob {v}", "isql -U sa -P {v}", "cqlsh -u bob -p {v}", "sqlplus bob/{v}@db",
    "rclone config create x webdav pass {v}", "docker secret create x {v}", "vault kv put s value={v}", "keyring set x y <<< {v}", "curl -E c.pem:{v} h",
    "git --proxy-user bob:{v} x", "requirepass {v}", "bindpw {v}", "x.exe /pass {v}", "net use * https://h/dav {v} /user:bob",
    "Enter passphrase for key '/x/id_rsa': {v}", "getpass() -> '{v}'", "login: bob / {v}", "Schlüsselinhalt : {v}", "passwords:\n  - {v}\n  - {v}",
    "user;password\nbob;{v}", "Name  Password\nbob   {v}", "    f(x, password)\n         └ '{v}'",
    'docker login -u u -p "a {v}" r', "mysql -u r -p'a {v}' db", 'net use Z: \\\\h\\d "a {v}" /user:x', 'curl --user u:"{v}" x', 'curl -u "u":"{v}" x',
    '7z x "-p{v}" a', "ConvertTo-SecureString -AsPlainText 'a {v}' -Force", 'printf \'%s\' "{v}" | docker login --password-stdin',
    'xfreerdp /u:u /p:"{v}" /v:h', "smbclient //h/d -U u%'a {v}'", 'schtasks /create /ru x /rp "a {v}"', 'redis-cli -a "a {v}" x',
    "Incorrect API key provided: {v}.", "Invalid token: {v}", "?jwt={v}", "tokens=['{v}42', 'b2c3d4e5f6g7']",
    'sshpass -p "a {v}" ssh h', 'HfFolder.save_token("{v}")', "wandb: Appending key: {v}", "Appending key for api.wandb.ai {v} x", "yours was 41: {v}",
    "https://conda.example/t/{v}+=/ch/noarch", "HTTPS_PROXY=bob:p@#{v}@proxy:3128", "--proxy bob:p/{v}@proxy:3128", "socks5://bob:ab/{v}@proxy:1080)",
    "mongodb://bob:ab#{v}@h1:27017,h2:27017/x", "https://bob:ab/{v}@[::1]:81/x", "echo '{v}' | huggingface-cli login", "Authorization:\\ Bearer\\ {v} h",
    "on the device FERNET_KEY: {v}", "on the device pw: {v}", "setx S3_KEY {v}", "VNC_PW={v} x", "ROOTPW: {v}", '"PSWD": "{v}"', "--git-pat {v}", "Server=db;User Id=bob;Password=a {v} b;Encrypt=True",
)  # fmt: skip
A = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH7jK9mN1pQ2sT4vW6xY8z"
HEX = "0123456789abcdef" * 5
TOKENS = (
    f"ghp_{A[:36]}", f"github_pat_{A[:22]}_{A[:50]}", f"glpat-{A[:20]}", f"sk-proj-{A}", f"sk-ant-api03-{A}", f"hf_{A[:34]}",
    f"AKIA{'ABCD234567' * 2}", f"AIza{A[:35]}", f"ya29.{A}", f"ya29.c.{A}", f"hvr.{A}", f"sl.u.{A}{A}", f"CCIPAT_{A[:22]}", f"dtn_{'0a1b' * 16}", f"napi_{'a1b2c3d4' * 6}",
    f"lin_oauth_{'0a1b' * 16}", f"fc-{'0a1b' * 8}", f"vk1.a.{A}{A}", f"t1.{A}{A}", f"xsmtpsib-{'0a1b' * 16}", f"ek_live_{A[:24]}", f"rzp_live_{A[:14]}",
    f"oy2{('a1b2c3d4' * 6)[:43]}", f"NpmToken.{A[:36]}", f"xoxb-123456789012-{A[:24]}", f"npm_{A[:36]}", f"pypi-{A}",
    f"wandb_v1_{A}", f"tskey-auth-{A[:12]}-{A[:32]}", f"sbp_{HEX[:40]}", f"tgp_v1_{A[:43]}", f"NRAK-{A[:27].upper()}",
    f"$2b$12${A[:53]}", f"$6$salt1234${A}", f"{'0a1b' * 8}:{'0a1b' * 8}", "-".join(["123456"] * 8), f"s.{A[:24]}", f"ATBB{A[:32]}", f"ls__{'0a1b' * 8}",
    f"dp.pt.{A[:43]}", f"sq0atp-{A[:22]}", f"FlyV1 fm2_{A}{A}", f"1//0{A}", f"ATATT3xFfGF0{A}", f"AKCp{A}{A[:13]}",
    f"pcsk_{A}", f"hvs.{A}", f"dop_v1_{HEX[:64]}", f"nvapi-{A}", f"eyJhbGciOiJ.eyJ{A}.{A}", f"SG.{A[:22]}.{A[:43]}",
    f"https://a.webhook.office.com/webhookb2/{HEX[:36]}@{HEX[:36]}/IncomingWebhook/{HEX[:32]}/{A}",
    f"MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.{A[:38]}", f"OTY4NTU2MzQ4MzkwMzkxODU5.YPqU6Q.{A[:27]}", f"sb_secret_{A[:31]}",
    f"pat{A[:14]}.{HEX[:64]}", f"{A[:14]}.atlasv1.{A}{A[:10]}", f"SK{HEX[:32]}", f"{HEX[:32]}-us12", f"ak-{A[:22]}", f"as-{A[:22]}",
    f"rpa_{(A + A)[:46].upper()}", f"api_org_{'aBcDefgHij' * 4}", f"hf_jwt_{A}", f"pnb_{A[:32]}", f"{HEX[:32]}.{A[:16]}",
)  # fmt: skip
ORDINARY = (
    "the user input, pass it on", "login user: pass the token", "key=Conv2dLayer", "key=layer1", "runs/key=a_12_b_13", "密码token错误", "输入密码sudo apt", "passkey: optional",
    "pad_token='<pad>'", "eos_token: </s>", "bos_token=\"<|begin_of_text|>\"", "mask_token=[MASK]", "unk_token: <unk>",
    "eos_token_id=128009", "pad_token_id: 0", "bos_token_id = 1", "token_type_ids: tensor([[0, 0, 0, 0]])", "num_tokens=4096",
    "max_new_tokens=128", "max_tokens: 2048", "tokens_per_second: 1234.5", "tokens/s: 51.3", "n_tokens = 15",
    "total_tokens: 1048576", "{'token': 2535, 'token_str': 'Paris', 'sequence': 'x'}", "next_token = logits.argmax(-1)",
    "tokens: ['▁Hello', '▁wor', 'ld12']", "tokenizer=AutoTokenizer.from_pretrained('gpt2')", "tokenizer_class: LlamaTokenizerFast",
    "special_tokens_map: {'bos_token': '<s>', 'eos_token': '</s>'}", "AddedToken('<image>', rstrip=False)",
    "detokenize=True", "prompt_tokens: 15, completion_tokens: 99", "image_token_index=32000", "num_keys=8", "keyboard: us",
    "key_padding_mask=None", "attn_key: 5", "monkey: patched7", "missing keys: ['a.b7.weight']", "unexpected_keys: ['x9.bias']",
    'Missing key(s) in state_dict: "layer1.0.conv1.weight"', "primary_key=a1", "cache_key: 7f3a9c1d", "public_key=abc123",
    "key=lambda x: x[1]", "KeyError: 'key7'", "sort_key=f32", "KeyboardInterrupt: 1", "two_pass=2", "forward_pass: 12ms",
    "first_pass = run1", "n_pass: 3", "2 passed, 1 failed", "bypass: on2", "passing: 17", "author: me2", "authors = ['a1']",
    "session: 5", "num_sessions=3", "secretary: a1", "unexpected token: '<'", "SyntaxError: invalid syntax near token: )",
    "def f(token=None, password=None):", "token: Optional[str] = None", "api_key = os.environ['API_KEY']",
    'token = os.getenv("HF_TOKEN")', "password = getpass.getpass()", "hf_token=hf_token", "token=args.token", "api_key=config.api_key",
    "secret = self.secret", "--token TOKEN", "usage: x [--api-key API_KEY]", "HF_TOKEN=$HF_TOKEN", "HF_TOKEN=${HF_TOKEN}",
    "HF_TOKEN=%HF_TOKEN%", "token={token}", "password: ***", "use_auth_token=True", "pass --token to log in",
    "The password is required", "the token is not valid", "your API key is missing", '["token", "text"]', '("password", "user")',
    "got an unexpected keyword argument 'token'", "KeyError: 'api_key'", "'token': str", "if token == 'EOS':", "PWD=/opt/x1",
    "Pass `num_workers=0` to it", "pass persistent_workers=True", "token_embedding.weight: torch.Size([32000, 4096])",
    "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", "git show 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567:README",
    f"sha256:{HEX[:64]}", f"--hash=sha256:{HEX[:64]}", "torch-2.8.0+cu128",
    "GPU-1a2b3c4d-1a2b-3c4d-5e6f-1a2b3c4d5e6f", "Build cuda_12.4.r12.4/compiler.34097967_0", "cudaD3D10SetDirect3DDevice",
    "at::_ops::embedding::call(at::Tensor const&)", "?sinh@@YAXXZ", "https://discuss.pytorch.org/t/dataloader-hangs-on-windows/12345",
    "NonlinearConjugateGradients.solver.compute_the_next_direction", f"patches.{HEX[:64]}", f"{HEX[:32]}-usb",
    "as-many-as-possible", "sb_publishable_abc", "rpa_attention_layer",
    "password = x if x else None", 'password = x or getpass("Password: ")', 'token = token or "none"', 'authorization = "Bearer " + token',
    'token = os.getenv("HF_TOKEN") or input("Token: ")', 'key = a or "b1c2d3e4f5"', 'secret = sha256(b"abc").hexdigest() + "_suffix"',
    'if name in ("pwd", "oldpwd"):',  "('password', 'username')", '("api_key", "endpoint")', "{password: string, user: string}", "{token: Paris}", "password: the one of the user",
    "the password: a word that you chose", "HF_TOKEN: not set", "HF_TOKEN: your token of Hugging Face", "{'pw': 3, 'ph': 2}", "ph=p1, pw=p2",
    "conv_pw: Conv2d(64, 64)", "pw = nn.Conv2d(64, 64, 1)", "dsn: postgresql", "dsn=sqlite:///x.db", 'dsn="host=db dbname=x"', "x-api-key: the key of the service",
    'ith_token = placeholder_token + f"_{i}"', 'token = f"a" + f"{b}"', "HF_TOKEN: configured", "WARNING: password: authentication", "return {secret: key, token: tok}", "dict(password=pw, user=usr)",
    "log: {secret: missing}", "serial: a1b2", "getattr('password', 'swordfish')", "['password', 'swordfish']",
    "vault login -method=oidc", "vault login github", "poetry publish -r testpypi", "mongosh --port 27017", "poetry config virtualenvs.in-project true", "uv publish dist/x-1.0.whl -t", "mongorestore -p 27017",
    "rabbitmqctl list_users", "certutil -p", "torchrun train.py -p 29500", "python upload.py -p C:\\data\\x1",
    "redis-cli ping", "sqlcmd -S h -E -Q x", "openssl enc -aes-256-cbc -in x", "lftp -u bob sftp://h", "x:*:y:z", "*:*:*:*:*", "sqlcmd -p 1",
    "SECRET_MISSION", "signature: (x1: Tensor)", "cookiecutter==2.6.0", "authlib==1.3.2", "keyring 25.1.0", "PyJWT 2.9.0",
    "API key (required)", "the password (at least 12 characters)", "api_key - the key of the service", "token → id", "2 tokens :: list",
    "password must be at least 8 characters, got 5", "token must be a str, got NoneType", "api_key or 'unknown'", "token or \"none\"",
    "user,password,email", "f(token,text)", "<td>token</td><td>The token of the model</td>", "<b>API key</b>: required", "token == 'EOS'",
    "if 'eos' == token:", "tokens[0] = 'Paris'", "sequence token: 5", "HF_TOKEN    REG_SZ    <none>", "password [optional]", "token is set to None",
    '"name": "token", "type": "str"', '"value": 5, "name": "token"', "login('user', 'password')", "Experiment('baseline')", "wandb login --relogin",
    "wandb.login()", "notebook_login()", "tokens:\n  - Paris\n  - Rome",
    "secret - INFO - loaded", "huggingface_hub.token - WARNING - cannot read it", "--use_auth_token -b 32", "mask: ab12", "disk=SN850X_2000GB", "task = 12ab34cd", "break: 3",
    "--sort-key name", "https://discuss.huggingface.co/t/win11-gpu/1234", "https://forums.fast.ai/t/windows11/88123/4", "sk = 12", "Appending key for api.wandb.ai to your netrc file", "token_type = 'a' + 'b1c2'",
)  # fmt: skip


@pytest.mark.parametrize("name", ["AZURE_DEVOPS_EXT_PAT", "GITHUB_PAT", "gitlab_pat", "GHCR_PAT", "MY_PAT"])
def test_personal_access_token_is_hidden(name: str) -> None:
    assert hide_secrets(f"{name}=hunter2Pw99 x") == f"{name}=<secret> x"


@pytest.mark.parametrize(
    "text", ["file_pat=*.png", "compat=1234abcd", 'pat=r"x9aB3c"', "test_pat=abc12345", "IGNORE_PAT=*.png"]
)
def test_pattern_is_no_token(text: str) -> None:
    assert hide_secrets(text) == text


@pytest.mark.parametrize("option", ["--datadog-key", "--acme-key"])
def test_option_for_a_key_of_another_service_hides_a_token(option: str) -> None:
    assert hide_secrets(f"x {option} d328263dfe574de739988b88") == f"x {option} <secret>"


FAINT_NAMES = ("pw", "PAT", "oauth", "dsn", "pool tokens", "sk", "ALIYUN_AK", "BLOB_SAS", "ACME_PAT")


def _list_settings() -> list[str]:
    forms = [joint.format(n=name, v=value) for name, joint, value in itertools.product(NAMES, JOINTS, VALUES + QUOTED_VALUES)
             if "'{v}" not in joint or '\\"' not in value]  # fmt: skip
    forms += [joint.format(n=name, v=value) for name, joint, value in itertools.product(NAMES, BARE_JOINTS, VALUES)
              if not ("</" in joint and "<" in value)]  # fmt: skip
    forms += [joint.format(n=name, v=value) for name, joint, value in itertools.product(NAMES, LISTS, VALUES)]
    return forms + [form.format(v=value) for form, value in itertools.product(COMMANDS, VALUES[:1])]


SETTINGS = _list_settings()
# Heads of tables, and lines of a .pgpass.
WHOLE_LINES = ("user;password\n", "Name  Password\n", "    f(x, password)\n", "localhost:5432:", "*:*:*:bob:")


@pytest.mark.parametrize("around", SURROUNDINGS)
def test_no_setting_is_left(around: str) -> None:
    assert len(SETTINGS) > 20_000
    settings = [form for form in SETTINGS if around == "{}" or not form.startswith(WHOLE_LINES)]
    texts = random.Random(SURROUNDINGS.index(around)).sample(settings, 6000)
    assert [text for text in texts if "fish" in IDENTITY.redact(around.format(text))] == []


@pytest.mark.parametrize("dress", DRESSES)
def test_no_setting_is_left_in_a_dress(dress: str) -> None:
    texts = random.Random(dress).sample(SETTINGS, 500)
    assert [text for text in texts if "fish" in IDENTITY.redact(DRESSES[dress](text))] == []


# Errors after which a path, a name or a command is read, which may be a value as well.
ERRORS = (
    "OSError: [WinError 1455] The paging file is too small for this operation to complete. {}",
    "OSError: [WinError 126] The specified module could not be found. {}",
    "ImportError: DLL load failed while importing {}",
    "FileNotFoundError: [Errno 2] No such file or directory: {}",
    "subprocess.CalledProcessError: Command returned non-zero exit status 1. {}",
)


@pytest.mark.parametrize("error", ERRORS)
def test_no_setting_is_left_in_what_is_read_from_a_text(error: str) -> None:
    knowledge, _ = load_knowledge()
    texts = random.Random(ERRORS.index(error)).sample(SETTINGS, 120)
    answers = {
        text: render_json(redact(explain(error.format(text), knowledge), IDENTITY, (Knowledge,)))
        for text in texts
    }
    assert [text for text, answer in answers.items() if "fish" in answer] == []


# What tells that these are secrets stands at their end.
@pytest.mark.parametrize(
    "secret", ["https://bob:hunter2Swordfish9x@index.example/simple", "hunter2Swordfish9x@corp.org"]
)
def test_statement_of_an_environment_is_not_cut_within_a_secret(secret: str) -> None:
    knowledge, _ = load_knowledge()
    start = "RuntimeError: MPS backend out of memory (MPS allocated: 8.89 GB, max allowed: 9.07 GB). "
    texts = [f"{start:x<{length}} {secret}" for length in range(250, 310)]
    answers = [render_json(redact(explain(text, knowledge), IDENTITY, (Knowledge,))) for text in texts]
    assert any("8.89 GB" in answer for answer in answers)
    assert [answer for answer in answers if "fish" in answer] == []


@pytest.mark.parametrize("joint", WORD_JOINTS)
def test_no_word_is_left_where_only_a_value_stands(joint: str) -> None:
    forms = [
        joint.format(n=name, U=re.sub(r"\W", "_", name).upper(), v=word)
        for name in WORD_NAMES
        for word in WORDS
    ]
    assert [form for form in forms if "fish" in IDENTITY.redact(form).lower()] == []


@pytest.mark.parametrize("name", FAINT_NAMES)
@pytest.mark.parametrize(
    "joint", ["{n}={v}", '"{n}": "{v}"', "{n}: {v}", '{n}: {{"a": "{v}"}}', "{n} = '{v}'"]
)
def test_name_that_has_other_values_as_well_hides_a_token(name: str, joint: str) -> None:
    assert "fish" not in IDENTITY.redact(joint.format(n=name, v="xK9mmQpl77fish"))


@pytest.mark.parametrize("form", COMMANDS)
def test_no_command_is_left(form: str) -> None:
    assert "fish" not in IDENTITY.redact(form.format(v="Tr0ub4dor3Swordfish"))


def test_key_in_the_name_of_a_run_is_hidden() -> None:
    assert IDENTITY.redact("runs/lr=0.1_key=x8Kf2LmQ9zRt_b=3") == "runs/lr=0.1_key=<secret>_b=3"


@pytest.mark.parametrize("token", TOKENS)
def test_no_token_is_left(token: str) -> None:
    for around in ("{}", "with {}, ok", '("{}")', "a={}", "[{}]", r"C:\x\{}\y", "用{}", "は{}です"):
        assert token[-16:] not in IDENTITY.redact(around.format(token))


ESCAPES = (
    r"\n", r"\r\n", r"\t", r"\\n", r"\x22", r"\u0022", "%20", "%3D", "%253D", "%0A", "<br>", "<br />", r"\n\t",
    "_x000D__x000A_", r"\012", r"\x1b[31m", r"\u001b[0m", "_x001B_[0m", r"\U0000000a", "`n", "=0A", "=3D", "=20",
)  # fmt: skip
BEHIND_ESCAPES = (
    *((token, token[-16:]) for token in TOKENS),
    ("/home/zqmarvin/x.py", "zqmarvin"), (r"C:\Users\zqmarvin\x.py", "zqmarvin"), (r"\\zqhost\share\x", "zqhost"),
    ("USERNAME=zqmarvin", "zqmarvin"), ("Bearer zq4swordfish", "swordfish"), ("zqmarvin@example.com", "zqmarvin"),
    ("password=zq4swordfish", "swordfish"), ("https://bob:zq4swordfish@example.com/x", "swordfish"),
)  # fmt: skip


@pytest.mark.parametrize("escape", ESCAPES)
def test_nothing_is_left_behind_a_written_escape(escape: str) -> None:
    left = []
    for form, secret in BEHIND_ESCAPES:
        for around in ("b'out{}{}'", '{{"log": "a{}{}"}}', "1{}{} x", "{}{}"):
            # A text that begins with it is the path of a server.
            if (around, escape, form[:2]) == ("{}{}", r"\\n", r"\\"):
                continue
            text = around.format(escape, form)
            left += [text] if secret in IDENTITY.redact(text) else []
    assert left == []


@pytest.mark.parametrize(
    "password", ["swordfish7", "Sword!fish", "sw:ordfish", "P@ss?fish", "sword&fish*", "9876"]
)
@pytest.mark.parametrize(
    "host",
    ["proxy:8080", "proxy.corp.example:8080", "proxy.corp.example", "10.1.2.3:8080", "localhost", "h9"],
)
def test_password_before_a_host_is_hidden_without_a_scheme(password: str, host: str) -> None:
    for around in (
        "pip install --proxy {} torch", '"proxy": "{}"', "['--proxy', '{}']", "proxy = {}", "curl -x {}", "setx HTTPS_PROXY {}",
        "<proxy>{}</proxy>", "cannot connect to {}", "proxies={{'https': '{}'}}",
    ):  # fmt: skip
        text = around.format(f"marvin:{password}@{host}")
        assert password not in IDENTITY.redact(text), text


def test_word_before_the_host_of_a_proxy_is_a_password() -> None:
    assert "swordfish" not in IDENTITY.redact("pip install --proxy=marvin:swordfish@h9 torch")


@pytest.mark.parametrize(
    "text",
    [
        "npm:foo@v2", "npm:foo@latest", "nvidia/cuda:12.1@sha256:0abcdef", "file.py:12@x", "see torch:nn@module",
        "/INCLUDE:?warp_size@cuda@at@@YAHXZ", "std::vector@x", "12:30@noon", "git@github.com:owner/name.git",
    ],
)  # fmt: skip
def test_colon_and_at_sign_alone_are_no_password(text: str) -> None:
    assert "<secret>" not in IDENTITY.redact(text)


@pytest.mark.parametrize("path", [r"D:\nina\new\table.txt", r"C:\Users\nina\n\a.py", r"E:\a\tina\x.py"])
def test_letter_of_a_path_is_no_escape(path: str) -> None:
    shared = Identity(home=r"C:\Users\nina", user="nina").redact(path)
    assert r"\nina" not in shared and shared.count("\\") == path.count("\\")


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_words_stay(text: str) -> None:
    for around in ("{}", "ValueError: {}", '  File "a.py", line 3\n    {}\n', "[rank0]: {}"):
        assert IDENTITY.redact(around.format(text)) == around.format(text)


def _list_texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _list_texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _list_texts(item)]
    return value.splitlines() if isinstance(value, str) else []


def test_samples_have_no_secret() -> None:
    texts: set[str] = set()
    for file in SAMPLES.rglob("*.jsonl"):
        texts.update(
            *(
                _list_texts(json.loads(line))
                for line in file.read_text(encoding="utf-8").splitlines()
                if line.strip()
            )
        )
    assert len(texts) > 5000
    assert [
        text for text in sorted(texts) if "<secret>" in IDENTITY.redact(text) and "<secret>" not in text
    ] == []


def test_what_was_hidden_stays_as_it_is() -> None:
    for text in random.Random(1).sample(SETTINGS, 3000):
        shared = IDENTITY.redact(text)
        assert IDENTITY.redact(shared) == shared


@pytest.mark.parametrize(
    "text",
    [
        "token", "a.token", "token=", "token='", 'token="', "token=“", 'token="""', "token=[", "token=(('", "{'token': {", "--token ",
        '"token", ', "name: token ", "<token ", "password is ", "token\\", "token=\\\"", "pass ", "token=a,", "http://a:", "| token ",
        '"value": "a", ', '"value": "a", "name": "token", ', '"a" == ', '"a" == token ', "token (", "token,", "token must be ", "token or ",
        'token = "a" + ', "token:\n  - ", "token → ", 'token" {', "token /v ", "token --a ", "<td>token</td><td>", "D:\\a\\AppData",
        "HOME=/home/a A ", "/user/a/", "wandb.ai/a/", "login('a', ", "whoami\n", "getuser()\n'", "a\\b:(", "curl -b ",
        "?key=", "proxy=a:", "12:34", "PWD=/", "tokens=a/", "pw=a or ", "token = a + ", "token = f((a, ", "token = x if 'a' ", "token='a'\\''", "aa:1", "ab:c@", "aa:b@c ", "{token: a, ", "user=a ", "User: ", "a:*:",
        "MTIz", "'a b' -c ", "user,password\n", "password:\n x1\n", "password:\n- x1\n", "- x1\n", "password:\n", "    │ └ 'x'\n", "└ ", "│", "token\n--\n", "token -- ",
        "|token|\n", "token  a\n", "token;", "<a>\nb\n</a>\n", "a<<E\nb\nE\n", "echo x | ", "gpg x <<< ", "gpg ", "net a -U ", "$2b$12$", "123456-", "s.a1B",
        "Login: a / ", "key: aB+/", "seed: ", "add ", "rar x ", "rclone x ", "vault kv put a b=", "curl -E ", "sqlplus a/", "for key 'a", "a: Connection", "docker login -u ", "psexec -u A\\", "net user ",
        "ssh-rsa A a@", "[sudo] a for ", "Username for 'a", "[user]\n a = b\n", "wandb:\n a\n", "User: A\\", "HostName a\n", ".connect('a', 'b', ", "key\t\n'a'\n",
        "Credentials are a:", "::add-mask::", "a:b@c.d:1", "mc alias set a http://", "key [a]: ",
    ],
)  # fmt: skip
def test_time_is_linear(text: str) -> None:
    short, long = (_measure(text * (size // len(text))) for size in (10_000, 40_000))
    limit = 8 * short + 0.05
    # Once may be by chance: other programs share the caches of the processor.
    assert long < limit or _measure(text * (40_000 // len(text))) < limit


def _measure(text: str) -> float:
    start = time.process_time()
    IDENTITY.redact(text)
    return time.process_time() - start


@pytest.mark.parametrize("name", ["MY_PAT", "VNC_PW", "ALIYUN_SK", "ACME_LICENSE", "MASTER_ADDR"])
def test_variable_before_a_command_is_no_value(name: str) -> None:
    text = f"{name}=d328263dfe574de739988b886e7577496a2c8773 python train.py\n'{name}' is not recognized\n"
    assert "d328263d" not in json.dumps(
        [dict(each.values) for each in explain(text, load_knowledge()[0]).diagnoses]
    )


@pytest.mark.parametrize(
    ("name", "strength"),
    [
        ("HF_TOKEN", Strength.STRONG), ("token", Strength.WEAK), ("pad_token", Strength.NONE), ("tokens", Strength.FAINT),
        ("PGPASSWORD", Strength.STRONG), ("passwordFile", Strength.NONE), ("apiKey", Strength.STRONG), ("key", Strength.NONE),
        ("session_id", Strength.STRONG), ("aws_access_key_id", Strength.STRONG), ("eos_token_id", Strength.NONE),
        ("password_length", Strength.NONE), ("api_key_name", Strength.NONE), ("num_passwords", Strength.NONE),
        ("VNC_PW", Strength.WEAK), ("ROOTPW", Strength.STRONG), ("conv_pw", Strength.NONE), ("disk", Strength.NONE),
    ],
)  # fmt: skip
def test_names(name: str, strength: Strength) -> None:
    assert rate_name(name) is strength
