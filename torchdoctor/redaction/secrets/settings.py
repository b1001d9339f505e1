"""Hide the values of names that tell of a secret, wherever a text sets one.

A setting is a name, a joint and a value: `HF_TOKEN=x`, `"password": "x"`, `--api-key x`, `("TOKEN", "x")`.
`secret_names` judges the name, `setting_joints` finds the joint, `setting_values` the end of the value, and
`secret_values` judges the value, so that each name is found with each joint and each value. A quoted value
ends at the quote that closes it, another one at white space.

Every pattern is matched at one place, and what it repeats is limited or read once: the time is linear.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from torchdoctor.redaction.secrets.secret_names import MASK, Name, Strength, rate_name

# What every name of a secret has in it.
_CORES = (
    "pass", "pwd", "token", "secret", "key", "auth", "cred", "cookie", "sess", "bearer", "signature", "sig=",
    "sig%3d", "jwt", "otp", "webhook", "connection", "pw", "dsn", "pat=", "pat:", "pat =", "pat\"", "pat'",
    "-pat ", "_pat ", "psw", "pswd", "sk=", "sk:", "sk =", "sk\"", "sk'", "ak=", "ak:", "ak =", "ak\"", "ak'",
    "sas=", "sas:", "sas =", "sas\"", "sas'", "accesscode",
)  # fmt: skip
# The names of passwords and keys in the languages of Windows.
_FOREIGN_LATIN = (
    "kennwort", "mot de passe", "mot_de_passe", "mot-de-passe", "senha", "parola", "heslo", "wachtwoord",
    "adgangskode", "salasana", "passord", "kata sandi", "cle api", "clave api", "clave de api",
    "lozinka", "geslo", "parool", "chave da api", "chave api", "haslo",
)  # fmt: skip
_FOREIGN = (
    "contraseña", "hasło", "lösenord", "şifre", "jelszó", "mật khẩu", "пароль", "密码", "密碼", "口令",
    "パスワード", "비밀번호", "令牌", "密钥", "トークン", "api-schlüssel", "clé api", "ключ api",
    "รหัสผ่าน", "סיסמה", "סיסמא", "κωδικός", "كلمة المرور", "كلمة السر", "رمز عبور",
    "گذرواژه", "парола", "лозинка", "salasõna", "slaptažodis", "पासवर्ड", "პაროლი", "գաղտնաբառ",
    "api 키", "apiキー", "api密钥", "秘钥",
)  # fmt: skip
# A word of a text for a model as well.
_WEAK_FOREIGN = ("токен", "토큰", "секрет")
_MAX_NAME = 80
_TO_THE_LEFT = re.compile(r"[\w.-]{0,80}")
_TO_THE_RIGHT = re.compile(r"[\w-]{0,80}(?:\.[\w-]{1,80}){0,4}")
_WORD_BEFORE = re.compile(r"[ ]([A-Za-z]{2,14})(?![\w./\\-])")
_IS_SET = re.compile(r":?=(?!=)")

_NO_VALUE = re.compile(
    r"[\"']?(?:None|True|False|true|false|null|\d{1,3}(?:\.\d{1,4}){0,3}|<(?!secret)[\w -]{2,40}>|\*+"
    r"|\.\.\.)[\"']?"
    r"(?=[\s,;)\]}]|$)"
)

# An option of a compiler that defines a name: -DTOKEN=value.
_DEFINES = re.compile(r"-D[A-Z]")
# What follows a word of a sentence: pass it, keys of the mapping.
_PROSE = re.compile(r"[ ][a-z]{1,15}(?:[ ,.]|$)|[.]?(?:[ ]?[)\]]|$|\n)")


def find_first_setting(text: str) -> int | None:
    """Return where the value of the first name of a secret begins, or None.

    Any word can be the value; what stands for one (None, <token>) and a short number or version cannot.
    """
    for match in _find_cores(text):
        name = _read_name(text, match, 0)
        if name.strength is Strength.NONE:
            continue
        # Its patterns take long to compile, as below.
        from torchdoctor.redaction.secrets.setting_joints import find_joints

        joint = next(find_joints(text, name), None)
        if joint is not None and not _NO_VALUE.match(text, joint.end):
            return joint.end
    return None


def hide_settings(text: str) -> str:
    """Replace the values of settings whose names tell of a secret by `<secret>`."""
    parts: list[str] = []
    done = seen = 0
    for match in _find_cores(text):
        if match.start() < seen:
            continue
        name = _read_name(text, match, done)
        seen = name.end
        if name.strength is Strength.NONE or (name.text == "pass" and _PROSE.match(text, name.end)):
            continue
        # Its patterns take longer to compile than most texts to read, and few texts have such a name.
        from torchdoctor.redaction.secrets.setting_values import find_values

        for start, end in find_values(text, name):
            if start >= done:
                parts += (text[done:start], MASK)
                done = end
        seen = max(seen, done)
    return "".join(parts) + text[done:] if parts else text


def _is_defined(text: str, start: int, name: str) -> bool:
    """Return whether a compiler is told to define a name: /DTOKEN=x"""
    return text[start - 1 : start] == "/" and name[:1] == "D" and name[1:2].isupper()


def _find_cores(text: str) -> Iterator[re.Match[str]]:
    lowered = _lower(text)
    pattern = _compile_cores(tuple(core for core in _CORES if core in lowered), _find_foreign(lowered))
    return iter(()) if pattern is None else pattern.finditer(lowered)


def _lower(text: str) -> str:
    lowered = text.lower()
    return (
        lowered
        if len(lowered) == len(text)
        else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
    )


def _find_foreign(lowered: str) -> tuple[str, ...]:
    words = _FOREIGN_LATIN if lowered.isascii() else _FOREIGN_LATIN + _FOREIGN + _WEAK_FOREIGN
    return tuple(word for word in words if word in lowered)


@lru_cache(1024)
def _compile_cores(cores: tuple[str, ...], foreign: tuple[str, ...]) -> re.Pattern[str] | None:
    if not (cores or foreign):
        return None
    words = [rf"(?P<foreign>(?<![a-z])(?:{'|'.join(foreign)}))"] if foreign else []
    # A sign behind a core is no part of the name.
    words += [re.sub("[=:\"']| =| $|%3d", r"(?=\g<0>)", core) for core in cores]
    return re.compile("|".join(words))


def _read_name(text: str, match: re.Match[str], least: int) -> Name:
    """Return the name around a core."""
    if match.groupdict().get("foreign"):
        is_option = text[max(0, match.start() - 2) : match.start()].endswith("-")
        strength = Strength.WEAK if match[0] in _WEAK_FOREIGN else Strength.STRONG
        return Name(match[0], match.start(), match.end(), strength, is_option)
    begin = max(least, match.start() - _MAX_NAME)
    left = _TO_THE_LEFT.match(text[begin : match.start()][::-1])
    right = _TO_THE_RIGHT.match(text, match.end())
    assert left is not None and right is not None
    start, end = match.start() - left.end(), right.end()
    while end > match.end() and text[end - 1] in ".-":
        end -= 1
    run = text[start:end]
    full = run.lstrip("-.")
    is_option = run.startswith("-") and text[start - 1 : start] not in ("]", ")")
    start = end - len(full)
    if text[start - 1 : start] in ("[", ";") and (colour := re.match(r"\d{1,3}m", full)):
        full = full[colour.end() :]
    strength = rate_name(full)
    if strength is Strength.NONE and is_option and full.lower().endswith("-key"):
        # Of a service that is not known: --datadog-key
        strength = min(Strength.FAINT, rate_name(full.upper().replace("-", "_")))
    if strength < Strength.STRONG and text[start - 1 : start] == " ":
        before = _WORD_BEFORE.match(text[max(least, start - 16) : start][::-1] + " ")
        if before and (longer := rate_name(f"{before[1][::-1]} {full}")) is not strength:
            # A name of code is one word: illegal multibyte sequence token="x"
            is_whole = _IS_SET.match(text, end) or full.lower() == "pw" or ("_" in full and full.isupper())
            strength = max(strength, longer) if is_whole else longer
    elif (
        _DEFINES.match(run)
        or _is_defined(text, start, full)
        or (text[start - 1 : start] == "\\" and full[:1] in "nrtabfv" and full)
    ):
        strength = max(strength, rate_name(full[1:]))
    return Name(full, start, end, strength, is_option)
