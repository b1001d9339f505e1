"""Hide passwords, tokens and e-mail addresses in text.

Every pattern begins at a fixed word, or at the start of a run of characters, so that the time is linear.
"""

import re

_MASK = "<secret>"
# https://user:password@host, https://token@host; "git" is the user of every clone address.
_URL_CREDENTIALS = re.compile(r"(?<=:)(?P<slashes>(?:\\?/){2})(?!git@)[^\s/?#\"'<>\\]+@(?=[\w\[<])")
# The code of a colour, as text has it that was copied or written out: [31m, ^[[0m, \x1b[1;31m.
_COLOUR = r"(?:(?:\\(?:x1b|u001b|033|e)|\^\[|␛)?\[[\d;]{0,8}m)"
# What may stand between a command and its password: no other one, which is hidden already.
_GAP = r"(?:(?!<secret>)[^\r\n]){0,200}?"
_BEHIND_COLOUR = r"(?<=[\d;\[]m)"
_SPACE = r"[ \t\xa0\u3000]"
_KEY = (
    r"(?:pass(?:word|wd|phrase)|pwd|(?:auth|identity)[_-]?token|token|api[_-]?key"
    r"|secret(?:[_-]?(?:access[_-]?)?key)?|(?:shared[_-]?)?access[_-]?key(?:[_-]?id)?"
    r"|auth(?:orization)?|cred(?:ential)?s?|(?:private|account|auth|encryption|license|product)[_ -]?key"
    r"(?:_id)?|client[_-]?secret|signature|sig|pass(?==)|(?<=[?&])key(?==)"
    # The names of passwords and keys in the languages of Windows.
    r"|passwort|kennwort|mot[ ]de[ ]passe|contraseña|senha|parola|hasło|heslo|lösenord|wachtwoord|adgangskode"
    r"|salasana|şifre|jelszó|mật[ ]khẩu|пароль|密码|密碼|口令|パスワード|비밀번호|令牌|密钥|トークン"
    r"|api-schlüssel|cl[ée][ ]api|clave[ ](?:de[ ])?api|ключ[ ]api)"
)
# What is set: password=value, "token": "value", ?sig=value&, HF_TOKEN=value, password => b'value'.
_SETTING = re.compile(
    rf"""(?i)(?:(?<![a-z])|{_BEHIND_COLOUR})(?P<key>(?:(?<=<)|(?<![<])){_KEY})(?P<quote_after>(?:\\?["']|&quot;)\]?)?
    (?P<sign>{_COLOUR}?(?:{_SPACE}{{0,8}}(?:=>?|＝|%3d){_SPACE}{{0,8}}|{_SPACE}?[:：]{_SPACE}{{0,2}}){_COLOUR}?|(?<=<[a-z]{{5}})>|(?<=<[a-z]{{8}})>)
    (?P<value>(?P<quote>(?:[bruf]{{1,2}})?(?:\\?["']|&quot;))[^"'\n\\&]+
    |(?P<open>[\[({{<])(?!secret>)[^\s"'<>\[\](){{}}]{{6,}}(?=[\])}}>])
    |[^\s"'&,;<>()\[\]{{}}\\]+)""",
    re.VERBOSE,
)
_FLAG = re.compile(
    r"(?i)(?<![\w-])(?P<flag>--?(?:[a-z]{1,20}-){0,3}(?:password|token|api-key|secret)[ ]"
    r"|\bcurl[ ]--user[ ][^\s:]+:)[^\s<>\"'-][^\s<>\"']*"
)
_AUTHORIZATION = re.compile(
    r"(?i)\b(?P<scheme>bearer|authorization:[ ]?(?:basic|token))[ ]+(?P<value>[\w.~+/=-]+)"
)
# NAME_KEY=value, PGPASSWORD=value, and what setx sets.
_VARIABLE = re.compile(
    r"(?<![A-Za-z0-9_])(?P<start>[A-Z0-9_]*(?:PASSWORD|PASSWD|PASS|_KEY|TOKEN|SECRET|_PWD)"
    r"(?P<sign>=|[ ]+)[\"']?)"
    r"(?P<value>[^\s\"'<>$%][^\s\"'<>]*)"
)
# What stands behind the names of programs and formats that take a secret.
_BEHIND = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?s)(?P<start>-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----).*?(?=-----END|\Z)",
        r"(?i)(?P<start>\b(?:set-)?cookie:[ ])[^\r\n<][^\r\n]*",
        r"(?P<start>//[\w.-]+/t/)[\w-]{8,}(?=/)",
        r"(?i)(?P<start>\bmachine[ ]\S+[ ]login[ ])\S+[ ]password[ ]\S+",
        r"(?i)(?P<start>\blogin(?:[ ]|\((?:\w+=)?[\"']))[A-Za-z0-9_-]{20,}",
        r"(?P<start>\bcurl\b"
        rf"{_GAP}[ ]-u[ ]?[\"']?)[^\s:\"'<]+:[^\s\"']+",
        r"(?P<start>\b(?:sshpass|docker[ ]login)\b"
        rf"{_GAP}[ ]-p[ ]?)[^\s<]+",
        r"(?P<start>\b(?:az|podman|nerdctl|oras|skopeo)[ ]login\b"
        rf"{_GAP}[ ]-p[ ]?)[^\s<]+",
        r"(?P<start>\b(?:twine[ ]upload|psexec(?:64)?(?:\.exe)?)\b"
        rf"{_GAP}[ ]-p[ ])[^\s<]+",
        # These ask for it where it does not follow at once.
        r"(?P<start>\b(?:mysql(?:dump|admin|import)?|mariadb)\b"
        rf"{_GAP}[ ]-p)[^\s<]+",
        r"(?i)(?P<start>\b(?:plink|pscp|psftp|putty)(?:\.exe)?\b"
        rf"{_GAP}[ ]-pw[ ])[^\s<]+",
        r"(?i)(?P<start>\bnet[ ]user[ ][^\s/]\S*[ ])(?![/*<])(?=\S*[^A-Za-z\s])\S+(?=[ ]/|[ ]*$)",
        r"(?i)(?P<start>\bcmdkey\b"
        rf"{_GAP}[ ]/pass:)[^\s<]+",
        r"(?i)(?P<start>\bschtasks\b"
        rf"{_GAP}[ ]/rp[ ])[^\s<]+",
        r"(?i)(?P<start>\b(?:key|name)=\"\w{0,40}(?:password|token|secret|api_?key)\"[ ]value=\")[^\"<]+",
        r"(?i)(?P<start><\w{0,40}password[ ]value=\")[^\"<]+",
        r"(?P<start>/bot\d{6,12}:)[\w-]{10,}",
        r"(?i)(?P<start>\bnet[ ]use[ ]"
        rf"{_GAP}[ ]/user:\S+[ ])[^\s<]+",
        r"(?i)(?P<start>\bnet[ ]use[ ](?:\w:[ ])?\\\\\S+[ ])(?![/<])\S+",
        r"(?i)(?P<start>\bconvertto-securestring[ ](?:-string[ ])?[\"'])[^\"'<]+",
        r"(?i)(?P<start>\b(?:wandb|hf|huggingface-cli|huggingface_hub)[ .]login"
        r"\(?(?:[ ]|(?:\w+=)?[\"']))[A-Za-z0-9_-]{8,}",
        r"(?P<start>\"username\":[ ]?\"[^\"\n]{1,60}\",[ ]?\"key\":[ ]?\")[^\"<]+",
        r"(?i)(?P<start>proxy=)[^\s:/@]+:[^\s/@]+(?=@)",
        # A password has a digit, a word that follows in a sentence has none.
        r"(?i)(?P<start>\bpassw(?:or)?d[ \t](?:is[ ])?)(?=[^\s\"'<>]{0,60}\d)"
        r"[^\s\"'<>(\[{=:,;]{6,}(?![\w=(])",
        r"(?P<start>(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/)[\w/-]+",
    )
)
_BEHIND_WORDS = (
    "-----begin",
    "cookie:",
    "/t/",
    "machine ",
    "login",
    "curl ",
    "sshpass",
    "proxy=",
    "hooks",
    "passw",
    "net use",
    "net user",
    "twine upload",
    "psexec",
    "mysql",
    "mariadb",
    " -pw ",
    "cmdkey",
    "schtasks",
    ' value="',
    "/bot",
    "securestring",
    '"key"',
)
# Tokens by the prefixes that their services give them.
_TOKEN = re.compile(
    rf"(?:(?<![A-Za-z0-9])|{_BEHIND_COLOUR})"
    r"(?:hf_[A-Za-z0-9]{16,}|hf_(?=[A-Za-z]*\d)(?=[a-z0-9]*[A-Z]|(?:[A-Za-z]*\d){3})[A-Za-z0-9]{6,}"
    r"|gh[opsur]_[A-Za-z0-9]{6,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{12,}|npm_[A-Za-z0-9]{20,}"
    r"|dapi[0-9a-f]{32}(?![0-9a-f])|r8_[A-Za-z0-9]{37})"
    rf"|(?:(?<![\w-])|{_BEHIND_COLOUR})"
    r"(?:github_pat_\w{6,}|gl(?:pat|dt|rt|cbt)-[\w-]{6,}|key-[0-9a-f]{32}(?![\w-])|sk-(?=[A-Za-z_-]*\d)[\w-]{8,}"
    r"|x(?:ox[abeprs]|app)-[\w-]{8,}|ya29\.[\w-]{10,}|GOCSPX-[\w-]{10,}|[sr]k_(?:live|test)_\w{8,}|pypi-[\w-]{16,}|AIza[\w-]{30,}|nvapi-[\w-]{16,}|dckr_pat_[\w-]{10,}"
    r"|eyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|hvs\.[\w-]{20,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|\d{8,10}:AA[\w-]{30,}"
    r"|(?:dop_v1|shpat|bkua|rubygems)_[0-9a-f]{20,}|lsv2_pt_\w{20,}|PMAK-[0-9a-f-]{30,}|local-[0-9a-f]{40}"
    r"|(?:gsk|xai|pplx|tvly|glptt|api_org|jina|whsec|figd|ntn|glsa|lin_api|fw)[_-](?=[A-Za-z_-]*\d)[\w-]{16,})"
)
# Letters and digits that nobody would read aloud, with or without a prefix: no word, number or mangled name.
_RANDOM = re.compile(
    r"(?<![A-Za-z0-9_?@$./\\+=-])(?:[A-Za-z]{2,8}[_-])?"
    r"(?=[A-Za-z]*(?:\d[A-Za-z]*){3})(?=[^A-Z\s]*(?:[A-Z][^A-Z\s]*){3})(?=[^a-z\s]*(?:[a-z][^a-z\s]*){3})"
    r"[A-Za-z0-9]{24,}(?![A-Za-z0-9_.])"
)
_TOKEN_PREFIXES = (
    "hf_", "gh", "github_pat_", "glpat-", "gldt-", "glrt-", "glcbt-", "sk-", "AKIA", "ASIA", "xox", "npm_",
    "pypi-", "AIza", "nvapi-", "dckr_pat_", "eyJ", "xapp-", "ya29.", "GOCSPX-", "k_live_", "k_test_",
    "dapi", "r8_", "key-", "SG.", "hvs.", "AGE-", ":AA", "dop_v1_", "shpat_", "bkua_", "rubygems_", "lsv2_",
    "PMAK-", "local-", "gsk_", "xai-", "pplx-", "tvly-", "glptt-", "api_org_", "jina_", "whsec_", "figd_",
    "ntn_", "glsa_", "lin_api_", "fw_",
)  # fmt: skip
_EMAIL = re.compile(
    r"(?<![\w.+%-])(?!git@)[\w.+%-]+(?:@|(?<!%40)(?<=[^\W\d_])%40|＠)(?:[^\W_](?:[\w-]*)\.)+[^\W\d_]{2,24}(?![\w-])"
)
# What a shell of POSIX shows before a command: user@host:~/project$, [user@host project]$, user@host
# project % and, in Git Bash, user@HOST MINGW64 ~/project
_PROMPT = re.compile(
    r"(?<![\w.+%-])(?!git@)[\w.+%-]+@[\w.-]+(?=:[~/])"
    r"|(?<=\[)(?!git@)[\w.+-]+@[\w.-]+(?=[ ][^\]\r\n]{1,100}\][$#])"
    r"|(?<![\w.+%-])(?!git@)[\w.+-]+@[\w.-]+(?=[ ](?:(?:MINGW|MSYS|UCRT|CLANG)\w*\b|[^\s]{1,100}[ ]%[ ]))"
    r"|(?<=\bssh[ ])[\w.+-]+@[\w.-]+"
)
# No secrets: values of Python programs, and words that messages of programs have after "token:".
_LITERAL = re.compile(r"None|True|False|null|str|[*.…]+|[$%{].*")
_PLAIN_VALUE = re.compile(r"[a-z]{1,15}|\d{1,5}")
_SECRET_VARIABLE = re.compile(r"(?i)(?:^|_)(?:TOKEN|PASSWORD|PASSWD|SECRET|API_?KEY|KEY|CREDENTIALS?|AUTH)$")


def hide_secrets(text: str) -> str:
    """Replace credentials and tokens by `<secret>` and e-mail addresses by `<email>`."""
    lowered = text.lower()
    if "@" in text and "//" in text.replace("\\/", "/"):
        text = _URL_CREDENTIALS.sub(rf"\g<slashes>{_MASK}@", text)
    if any(sign in lowered for sign in ("=", ":", "%3d", "：", "＝", "<pass", "<token")):
        text = _SETTING.sub(_hide_setting, text)
    if any(word in text for word in ("PASS", "_KEY", "TOKEN", "SECRET", "_PWD")):
        text = _VARIABLE.sub(_hide_variable, text)
    if any(word in lowered for word in _BEHIND_WORDS):
        for pattern in _BEHIND:
            text = pattern.sub(_hide_behind, text)
    if "--" in text or " -" in text:
        text = _FLAG.sub(rf"\g<flag>{_MASK}", text)
    if "bearer" in lowered or "authorization" in lowered:
        text = _AUTHORIZATION.sub(_hide_authorization, text)
    if any(prefix in text for prefix in _TOKEN_PREFIXES):
        text = _TOKEN.sub(_MASK, text)
    text = _RANDOM.sub(_MASK, text)
    if any(sign in text for sign in ("@", "%40", "＠")):
        text = _PROMPT.sub("<user>@<host>", _EMAIL.sub("<email>", text))
    return text


def names_a_secret(variable: str) -> bool:
    """Return whether the name of an environment variable says that its value is a secret."""
    return _SECRET_VARIABLE.search(variable) is not None


def _hide_setting(match: re.Match[str]) -> str:
    value = match["value"].removeprefix(match["quote"] or match["open"] or "")
    is_path = re.match(r"[/~.]|[A-Za-z]:[\\/]?", value) and match["key"].lower() == "pwd"
    is_weak = (
        ":" in match["sign"]
        or "：" in match["sign"]
        or match["key"].lower() in ("auth", "sig", "token", "pass", "key")
    )
    is_plain = _LITERAL.fullmatch(value) or (is_weak and _PLAIN_VALUE.fullmatch(value))
    # The scheme of "Authorization: Bearer ..." stays.
    if is_path or is_plain or value.lower() in ("bearer", "basic", "token"):
        return match[0]
    before = f"{match['key']}{match['quote_after'] or ''}{match['sign']}"
    return f"{before}{match['quote'] or match['open'] or ''}{_MASK}"


def _hide_behind(match: re.Match[str]) -> str:
    # The lines keep their numbers.
    lines = match[0].count("\n")
    return match["start"] + _MASK + "\n" * lines


def _hide_variable(match: re.Match[str]) -> str:
    value, is_set = match["value"], match["sign"] == "="
    before = match.string[max(0, match.start() - 8) : match.start()].lower()
    is_plain = _LITERAL.fullmatch(value) or _PLAIN_VALUE.fullmatch(value)
    return (
        match[0]
        if is_plain or not (is_set or "setx" in before or "env" in before)
        else f"{match['start']}{_MASK}"
    )


def _hide_authorization(match: re.Match[str]) -> str:
    value = match["value"]
    is_word = re.fullmatch(r"[A-Za-z]{1,19}[.]?", value) and match["scheme"].lower() == "bearer"
    return match[0] if is_word else match[0][: -len(value)] + _MASK
