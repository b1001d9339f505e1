"""Recognise the names of secrets, in any style: `HF_TOKEN`, `client-secret`, `apiKey`, `PGPASSWORD`.

A name is read as words. The last one says what it holds. Keys, tokens and passes are ordinary words of
machine learning as well: for them the word before decides.
"""

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

MASK = "<secret>"


class Strength(IntEnum):
    """How certain a name is: what it holds is hidden whatever it is only behind a strong one."""

    NONE = 0
    # Its values are often words: only what has the form of a token is hidden.
    FAINT = 1
    # Plain words and numbers stay.
    WEAK = 2
    STRONG = 3


class Name(NamedTuple):
    """A name in a text, and where it stands."""

    text: str
    start: int
    end: int
    strength: Strength
    is_option: bool


def read_words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_SERVICES = read_words(
    "anthropic aws azure bitbucket civitai clearml cohere comet databricks db deepseek discord docker"
    " dropbox elastic elevenlabs firebase gcp gemini gh git github gitlab google grafana groq hf hub"
    " huggingface jupyter kaggle langchain langsmith mail mistral mlflow modal mongo mysql neptune ngc"
    " ngrok npm nvidia openai openrouter pinecone postgres pypi redis replicate sendgrid sentry slack"
    " smtp snowflake sql stripe supabase tavily telegram together twilio twine vault wandb wifi"
)
_OWNERS = read_words("account admin app bot client db login master root server service sudo user vpn web")
_PASSWORDS = read_words("kennwort passcode passphrase passwd password passwort psw pswd pwd")
_OTHERS = read_words(
    "authorization connectionstring cookie cookies cred credential credentials creds jwt otp passwords secret"
    " totp webhook"
)
# What makes a key secret.
_KEYS = _SERVICES | read_words(
    "access account admin aes api app application auth authentication authorization client consumer"
    " cookie customer decryption deploy deployment encrypt encryption gpg hmac identity jwt license maps"
    " master oauth pem pgp private product root rsa secret sentinel serial serp serper service session shared"
    " sign signing ssh ssl storage subscription tls webhook"
)
# Whose personal access tokens are set like this, beside those of the services.
_OF_PATS = read_words("ado azuredevops cr devops ghcr my")
_TOKENS = (
    _SERVICES
    | _OWNERS
    | read_words(
        "access api auth authentication authorization bearer bot cli csrf dask deploy deployment gateway id"
        " identity jenkins job jwt line notify oauth personal private push ray refresh registry repo runner"
        " secret security session sso tunnel upload verification webhook xsrf"
    )
)
_PASSES = _SERVICES | _OWNERS | read_words("ftp http imap key my pg ssh store proxy")
# What makes a token one of a text, a pass one over data, and a key one of a mapping.
_ORDINARY = read_words(
    "added additional all answer any audio backward bad band begin bos box byte cache cached class cls"
    " code completion context control count ctx cur current custom dec decoder detokenize dict dim distill"
    " draft dropped dummy each emb embed embedding empty enc encoder end eod eoi eom eos eot every"
    " expected extra fim final first forced forward frame fx generated global graph illegal im image img"
    " inductor initial input joint kv label lang language last latent left length lexer local mask max"
    " mean memory middle min missing model multi n nb new next no null num number obj one opt optimization"
    " output pad padding patch per post pre pred prefill prefix prev previous prompt quantization"
    " query question random raw reasoning reg register remaining render right sep sequence single skip"
    " soft source space special speech src stop start state sub suffix syntax system tag target task text"
    " tgt think thinking three time tok tool total trailing two type unexpected unique unk unknown"
    " unrecognized valid video vision visual vocab warmup word"
)
# What counts something has no secret.
_COUNTS = read_words("avg count len length max mean min n nb num number per total")
# Commands that are called like one.
_COMMANDS = read_words("chpasswd htpasswd smbpasswd vncpasswd")
# What can stand behind the name of a secret.
_SUFFIXES = _SERVICES | read_words(
    "backup base current default dev env live main new old plain prod production raw staging test var"
)
# The last words of texts that have one: a token_str is the text of a token of a model.
_FORMS = read_words("bytes encoded hash plaintext str string text val value b64 base64 enc")
# The ends of words that are written as one: dbpassword, sessionid, hfapikey.
_ENDS = (
    "password", "passwd", "passphrase", "passwort", "kennwort", "secret", "sessid", "sessionid", "accesscode",
    "accesskey", "apikey", "passkey", "authkey", "encryptionkey", "privatekey", "secretkey", "signingkey",
)  # fmt: skip
# What does something with a secret, and holds none.
_VERBS = read_words(
    "ask assert check clear compare count create decode delete disable enable ensure find forget format"
    " generate get has hash hide input invalid is list load lookup make mask missing name names need no"
    " parse print prompt query read redact remove request require reset resolve retrieve save search show"
    " strip test tokenize validate verify write"
)


@lru_cache(4096)
def rate_name(name: str) -> Strength:
    """Return how certain it is that a value of this name is a secret."""
    words = [word.lower() for word in _WORD.findall(name)]
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    if len(words) > 1 and words[-1] in _FORMS and words[-2] not in ("token", "tokens"):
        if words[-2:] == ["connection", "string"]:
            return Strength.STRONG
        words.pop()
    if not words or (len(words) > 1 and words[0] in _COUNTS):
        return Strength.NONE
    if name[-3:].lower() == ".pw":
        return Strength.WEAK
    return _rate_words(words, is_variable="_" in name and name.isupper())


def _rate_words(words: list[str], *, is_variable: bool) -> Strength:
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if (last, before) == ("id", "key"):
        return Strength.STRONG if {"access", "private"} & {*words} else Strength.NONE
    if (last, before) in {("id", "session"), ("url", "webhook")}:
        return Strength.STRONG
    if last in ("key", "keys"):
        if before in _KEYS:
            return Strength.STRONG
        return Strength.WEAK if is_variable and last == "key" and before not in _ORDINARY else Strength.NONE
    if last in ("token", "tokens"):
        if before in _TOKENS:
            return Strength.STRONG
        if before in _ORDINARY:
            return Strength.NONE
        return Strength.WEAK if last == "token" else Strength.FAINT
    if last == "pw":
        # A pointwise convolution is called like this as well.
        if before in _PASSES:
            return Strength.STRONG
        return Strength.WEAK if is_variable or not before else Strength.NONE
    if last == "pat":
        # A personal access token, and the pattern of a model or of a path.
        if before in _TOKENS or before in _OF_PATS or before == "ext":
            return Strength.STRONG
        return Strength.FAINT if is_variable or not before else Strength.NONE
    if last in ("ak", "sas", "sk"):
        # Access keys and signatures of clouds.
        return Strength.FAINT
    if last == "dsn":
        return Strength.WEAK
    if last == "pass":
        return (
            Strength.STRONG if before in _PASSES else Strength.NONE if before in _ORDINARY else Strength.WEAK
        )
    if last in ("auth", "oauth"):
        return Strength.STRONG if before in ("basic", "digest", "proxy", "gradio") else Strength.WEAK
    if last in ("secrets", "signature", "sig", "bearer"):
        return Strength.WEAK
    if last in _PASSWORDS or last in _OTHERS or _is_joined(last) or _is_joined(last.removesuffix("s")):
        return Strength.STRONG
    return Strength.NONE


def _is_joined(word: str) -> bool:
    """Return whether a word is several ones that name a secret together: apikey, hftoken, mypass."""
    if word in _COMMANDS:
        return False
    return (
        word.endswith(_ENDS)
        or (word.endswith("pwd") and len(word) > 4)
        or (word.endswith("pw") and word[:-2] in _PASSES)
        or (word.endswith("key") and word[:-3] in _KEYS)
        or (word.endswith("token") and word[:-5] in _TOKENS)
        or (word.endswith("pass") and word[:-4] in _PASSES)
    )


@lru_cache(4096)
def names_an_action(name: str) -> bool:
    """Return whether a name is that of a function that does something with a secret: `get_token`."""
    words = _WORD.findall(name.rpartition(".")[2])
    return not words or words[0].lower() in _VERBS
