"""Hide tokens by their own form: the prefixes that services give them, or random letters and digits.

A hash stays (a commit, the SHA-256 of a file, the UUID of a card): it has no prefix and one case only.
"""

import re
from functools import cache

from torchdoctor.redaction.secrets.secret_names import MASK

_BEHIND_COLOUR = r"(?<=[\d;\[]m)"
_HEX = "[0-9a-f]"
# It stands behind its public number, and has no sign of its own.
_SECRET_OF_AWS = r"(?:[\"' \t,:;|]{1,8}[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/]))?"
# The prefix, and what follows it. The first ones follow no letter, digit or line below.
_JOINED = (
    ("hf_", r"[A-Za-z0-9]{16,}"),
    ("hf_", r"(?=[A-Za-z]*\d)(?=[a-z0-9]*[A-Z]|(?:[A-Za-z]*\d){3})[A-Za-z0-9]{6,}"),
    *((f"gh{kind}_", r"[A-Za-z0-9]{6,}") for kind in "opsur"),
    *((kind, rf"[0-9A-Z]{{12,}}{_SECRET_OF_AWS}") for kind in ("AKIA", "ASIA")),
    ("ABSK", r"[A-Za-z0-9+/]{60,}={0,2}"),
    ("npm_", r"[A-Za-z0-9]{20,}"),
    ("dapi", rf"{_HEX}{{32}}(?!{_HEX})"),
    ("r8_", r"[A-Za-z0-9]{30,}"),
)
# These begin a word.
_SEPARATE = (
    ("github_pat_", r"\w{6,}"),
    *(
        (f"gl{kind}-", r"[\w.-]{6,}")
        for kind in ["pat", "dt", "rt", "cbt", "ft", "soat", "imt", "agent", "oas", "ffct"]
    ),
    ("key-", rf"{_HEX}{{32}}(?![\w-])"),
    ("sk-", r"(?=[A-Za-z_-]*\d)[\w-]{8,}"),
    ("sk_", r"(?:live|test|prod)_\w{8,}"),
    ("sk_", rf"{_HEX}{{48}}(?!\w)"),
    *((f"hf_{kind}_", r"[\w.-]{20,}") for kind in ("oauth", "jwt")),
    *((prefix, r"[A-Za-z0-9]{30,}") for prefix in ("pnb_", "aph0_", "api_org_")),
    ("KGAT_", rf"{_HEX}{{32}}"),
    ("AQ.", r"Ab[\w-]{30,}"),
    ("comfyui-", rf"{_HEX}{{64}}"),
    ("csk-", r"[a-z0-9]{40,}"),
    ("e2b_", rf"{_HEX}{{40}}"),
    ("apify_api_", r"[A-Za-z0-9]{30,}"),
    ("n8n_api_", r"[A-Za-z0-9]{30,}"),
    ("sgp_", rf"(?:\w{{16}}_)?{_HEX}{{40}}"),
    ("mdb_sa_sk_", r"[\w-]{30,}"),
    ("bce-v3/", r"ALTAK-\w{16,}/\w{30,}"),
    ("rk_", r"(?:live|test|prod)_\w{8,}"),
    ("xox", r"[abeoprs](?:\.xox[bp])?-[\w-]{8,}"),
    ("xapp-", r"[\w-]{8,}"),
    ("xkeysib-", r"[\w-]{20,}"),
    ("ya29.", r"(?:c\.)?[\w-]{10,}"),
    ("1//0", r"[\w-]{20,}"),
    ("4/0A", r"[\w-]{20,}"),
    ("GOCSPX-", r"[\w-]{10,}"),
    ("AIza", r"[\w-]{30,}"),
    ("pypi-", r"[\w-]{16,}"),
    ("nvapi-", r"[\w-]{16,}"),
    ("dckr_", r"(?:pat|oat)_[\w-]{10,}"),
    # One that is encrypted can have an empty second part.
    ("eyJ", r"[\w-]{6,}\.\.?[\w-]+(?:\.[\w-]*)*"),
    ("SG.", r"[\w-]{16,}\.[\w-]{16,}"),
    ("hvs.", r"[\w-]{20,}"),
    ("hvb.", r"[\w-]{20,}"),
    ("hvr.", r"[\w-]{20,}"),
    ("sl.", r"(?:u\.)?[\w-]{60,}"),
    ("CCIP", r"(?:AT|RJ)_\w{20,}"),
    ("dtn_", rf"{_HEX}{{40,}}"),
    ("napi_", r"[a-z0-9]{40,}"),
    ("lin_oauth_", rf"{_HEX}{{40,}}"),
    ("fc-", rf"{_HEX}{{32}}(?![\w-])"),
    ("vk1.a.", r"[\w-]{40,}"),
    ("t1.", r"[\w=-]{60,}(?:\.[\w=-]{40,})?"),
    ("xsmtpsib-", rf"{_HEX}{{40,}}"),
    ("ek_", r"(?:live|test)_\w{8,}"),
    ("rzp_", r"(?:live|test)_\w{8,}"),
    ("oy2", r"[a-z0-9]{43}(?![\w-])"),
    ("NpmToken.", r"[\w-]{20,}"),
    ("AGE-SECRET-KEY-1", r"[0-9A-Z]{20,}"),
    ("lsv2_", r"(?:pt|sk)_\w{20,}"),
    ("PMAK-", r"[0-9a-f-]{30,}"),
    *((f"NR{kind}-", r"[A-Za-z0-9-]{19,}") for kind in ("AK", "JS", "II", "RA")),
    ("local-", rf"{_HEX}{{40}}"),
    ("tskey-", r"(?:\w{2,12}-)?\w{8,}(?:-\w+)?"),
    ("sbp_", rf"(?:v\d_)?{_HEX}{{40,}}"),
    *((f"dp.{kind}.", r"[\w.]{30,}") for kind in ("pt", "st", "ct", "sa", "scim", "audit")),
    ("sq0", r"[a-z]{3}-[\w-]{20,}"),
    ("EAAA", r"[\w-]{50,}"),
    *((f"fm{kind}_", r"[A-Za-z0-9+/_-]{50,}={0,3}") for kind in ("1a", "1r", "2")),
    ("fo1_", r"[\w-]{40,}"),
    ("ATATT3", r"[\w=-]{30,}"),
    ("ATCTT3", r"[\w=-]{30,}"),
    ("AKCp", r"[A-Za-z0-9]{40,}"),
    ("cmVmd", r"[A-Za-z0-9]{40,}"),
    ("v1.0-", rf"{_HEX}{{24}}-{_HEX}{{40,}}"),
    ("HRKU-", r"[\w-]{30,}"),
    ("ops_", r"eyJ[\w+/=-]{40,}"),
    ("A3-", r"[0-9A-Z]{6}(?:-[0-9A-Z]{5,11}){4,}"),
    ("pul-", rf"{_HEX}{{40}}"),
    ("sha256~", r"[\w-]{40,}"),
    ("sntry", rf"(?:u_{_HEX}{{40,}}|s_eyJ[\w+/=-]{{20,}})"),
    ("dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{40,}"),
    ("LTAI", r"[A-Za-z0-9]{16,}"),
    ("AQVN", r"[\w-]{34,}"),
    ("FLWSECK", r"(?:_TEST)?-[\w-]{12,}"),
    ("CLOJARS_", r"[a-z0-9]{40,}"),
    ("ms-", rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"),
    ("bedrock-api-key-", r"[\w+/=-]{16,}"),
    ("sb_secret_", r"[\w-]{20,}"),
    ("glc_", r"(?=[A-Za-z_+/-]*\d)[\w+/-]{16,}={0,2}"),
    ("secret_", rf"[\w-]{{1,60}}_{_HEX}{{64}}\.[A-Za-z0-9]{{32}}"),
    ("snyk_", r"[a-z]{2,4}\.[\w-]{8}\.[\w-]{40,}"),
    ("rpa_", r"(?=[A-Z]*\d)[A-Z0-9]{32,}[A-Za-z0-9]{0,14}"),
)
# So do these; what follows them has a digit.
_WITH_A_DIGIT = (
    "api_org cal_live esecret figd glc glptt glsa gsk jina lin_api nfp ntn nvapi pcsk pnu pplx pscale_oauth"
    " pscale_pw pscale_tkn rdme shippo_live sm_aat sm_pat sm_sat sqa sqp squ tfp tgp_v1 tvly vcp wandb_v1"
    " whsec xai"
)
# These are words as well; what follows them has two digits and both cases.
_WORDS = "csk e2b fal fw ico pa re rpa sdp secret sgp voyage"
_HEX_PREFIXES = "bkua dop_v1 doo_v1 dor_v1 key rubygems shpat shpca shppa shpss"


def _join(rows: tuple[tuple[str, str], ...]) -> str:
    return "|".join(f"{re.escape(prefix)}{rest}" for prefix, rest in rows)


_PREFIXES = (
    *dict.fromkeys(prefix for prefix, _ in (*_JOINED, *_SEPARATE)),
    *(f"{prefix}_" for prefix in f"{_HEX_PREFIXES} {_WITH_A_DIGIT} {_WORDS}".split()),
    *(f"{prefix}-" for prefix in f"{_WITH_A_DIGIT} {_WORDS}".split()),
    ":AA", "Q~", ":fx", ".atlasv1.", "-us",
)  # fmt: skip


@cache
def _compile_tokens() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?<![A-Za-z0-9])|{_BEHIND_COLOUR})(?:{_join(_JOINED)})"
        rf"|(?:(?<![\w-])|{_BEHIND_COLOUR})(?:{_join(_SEPARATE)}|(?:bot)?\d{{8,10}}:AA[\w-]{{30,}}"
        rf"|(?:{_HEX_PREFIXES.replace(' ', '|')})_{_HEX}{{20,}}"
        rf"|(?:{_WITH_A_DIGIT.replace(' ', '|')})[_-](?=[A-Za-z_-]*\d)[\w-]{{16,}}"
        rf"|(?:{_WORDS.replace(' ', '|')})[_-](?=(?:[A-Za-z_-]*\d){{2}})(?=[a-z\d_-]*[A-Z])"
        r"(?=[A-Z\d_-]*[a-z])[\w-]{16,})"
        r"|(?<![\w.~-])[\w.~]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])"
        rf"|(?<![\w-]){_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}:fx\b"
        # Terraform, and Mailchimp, whose keys end with the name of a data centre.
        r"|(?<![\w-])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}"
        rf"|(?<![\w-]){_HEX}{{32}}-us\d{{1,2}}(?![\w-])",
        # Chinese and Japanese are written without blanks: a letter of theirs before a token is no part of it.
        re.ASCII,
    )


_ANY_OF_EACH = r"(?=[A-Za-z_-]*\d)(?=[a-z\d_-]*[A-Z])(?=[A-Z\d_-]*[a-z])"
# Tokens whose beginning is so short that it says nothing: the form of the whole does.
_BY_FORM = re.compile(
    r"(?<![\w.-])(?:"
    # A bot of Discord: its number in base64, the time, and a hash.
    r"(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[\w-]{0,3}\.[\w-]{6,7}\.[\w-]{27,45}"
    rf"|[MNO]{_ANY_OF_EACH}[\w-]{{22,27}}\.[\w-]{{6,7}}\.{_ANY_OF_EACH}[\w-]{{27,45}}"
    # A hash of a password, of a login of Windows, and a recovery key of BitLocker.
    r"|\$(?:2[abxy]|5|6|7|y|apr1|argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,12})\$[\w./$=,+-]{20,200}"
    rf"|{_HEX}{{32}}:{_HEX}{{32}}|{_HEX}{{32}}\.(?=[a-z]*[A-Z\d])[A-Za-z0-9]{{16}}|(?:\d{{6}}-){{7}}\d{{6}}|\{{S?SHA\d{{0,3}}\}}[A-Za-z0-9+/]{{20,}}={{0,2}}"
    # Old tokens of Vault, Bitbucket, LangSmith.
    rf"|s\.{_ANY_OF_EACH}[A-Za-z0-9]{{24}}|ATBB[A-Za-z0-9]{{32}}|ls__{_HEX}{{32}}"
    # A key and the product number of Windows, and a key of fal.
    r"|\d{5}-\d{5}-\d{5}-[A-Z]{2}\d{3}"
    r"|(?=[A-Z-]*\d)(?:[B-DF-HJKMNP-RTV-Y2346-9]{5}-){4}[B-DF-HJKMNP-RTV-Y2346-9]{5}"
    rf"|{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}:{_HEX}{{32}}"
    # Airtable, Twilio and Modal.
    rf"|pat[A-Za-z0-9]{{14}}\.{_HEX}{{64}}|SK{_HEX}{{32}}|a[ks]-{_ANY_OF_EACH}[A-Za-z0-9]{{22}}"
    r")(?![\w-]|\.\w)",
    re.ASCII,
)
# Letters and digits that nobody would read, with or without a prefix; no word, number or mangled name, and
# no function of CUDA (cudaD3D10SetDirect3DDevice).
_RANDOM = re.compile(
    r"(?<![A-Za-z0-9_?@$./\\+=-])(?!(?:cu|cuda|hip|nccl|nvml|nv)[A-Z])(?:[A-Za-z]{2,8}[_-])?"
    r"(?=[A-Za-z]*(?:[0-9][A-Za-z]*){3})(?=[a-z0-9]*(?:[A-Z][a-z0-9]*){3})(?=[A-Z0-9]*(?:[a-z][A-Z0-9]*){3})"
    r"[A-Za-z0-9]{24,}(?![A-Za-z0-9_]|\.\w)"
)


def hide_tokens(text: str) -> str:
    """Replace what is a token by its own form by `<secret>`."""
    if len(text) < 10:
        return text
    if any(prefix in text for prefix in _PREFIXES):
        text = _compile_tokens().sub(MASK, text)
    return _RANDOM.sub(MASK, _BY_FORM.sub(MASK, text))
