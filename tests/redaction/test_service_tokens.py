"""Tokens of services are hidden whole by their own form, wherever a line has them."""

import random
import re
import string

import pytest

from torchdoctor.redaction.redaction import Identity, redact

_WORD = string.ascii_letters + string.digits
_URL = f"{_WORD}-_"
_BASE64 = f"{_WORD}+/"
_SMALL = string.ascii_lowercase + string.digits
_HEX = "0123456789abcdef"
_DIGITS = "123456789"
_KEY = "BCDFGHJKMPQRTVWXY2346789"
# Of each form, parts of a fixed text, and how many of which signs stand in the place of `{}`.
FORMS = {
    "webhook of Discord, with a version": (
        "https://discord.com/api/v10/webhooks/{}/{}",
        (19, _DIGITS),
        (68, _URL),
    ),
    "webhook of a test client": ("https://ptb.discord.com/api/v9/webhooks/{}/{}", (18, _DIGITS), (68, _URL)),
    "path of a webhook": ("/api/webhooks/{}/{}", (19, _DIGITS), (68, _URL)),
    "bot of Discord": ("MTk4NjIyNDgzNDcxOTI1MjQ4.{}.{}", (6, _WORD), (38, _WORD)),
    "Teams": (
        "https://outlook.office.com/webhook/{}-0000-4000-8000-{}@{}-0000-4000-8000-{}/IncomingWebhook/{}/x",
        (8, _HEX), (12, _HEX), (8, _HEX), (12, _HEX), (32, _HEX),
    ),
    "IFTTT": ("https://maker.ifttt.com/trigger/x/with/key/{}", (22, _URL)),
    "Zapier": ("https://hooks.zapier.com/hooks/catch/{}/{}", (7, _DIGITS), (7, _SMALL)),
    "Mattermost": ("https://mattermost.example.org/hooks/{}", (26, _SMALL)),
    "Telegram": ("bot{}:AAF{}", (10, _DIGITS), (32, _WORD)),
    "Sentry": ("sntrys_eyJ{}=_{}", (140, _BASE64), (43, _BASE64)),
    "GitLab": ("glpat-{}.01.{}", (27, _URL), (9, _SMALL)),
    "JWE": ("eyJ{}..{}.{}.{}", (33, _WORD), (16, _WORD), (60, _URL), (22, _WORD)),
    "Okta": ("SSWS 00{}", (40, _URL)),
    "header of Okta": ("Authorization: SSWS 00{}", (40, _URL)),
    "Grafana": ("glc_{}=", (120, _BASE64)),
    "Lambda": ("secret_name_{}.{}", (64, _HEX), (32, _WORD)),
    "Snyk": ("snyk_uat.{}.{}", (8, _HEX), (60, _WORD)),
    "fal": ("{}-0000-4000-8000-{}:{}", (8, _HEX), (12, _HEX), (32, _HEX)),
    "key of Windows": ("2{}-{}-{}-{}-{}", (4, _KEY), (5, _KEY), (5, _KEY), (5, _KEY), (5, _KEY)),
    "account of Windows": ("S-1-5-21-{}-{}-{}-1001", (10, _DIGITS), (9, _DIGITS), (8, _DIGITS)),
    "product number of Windows": ("00330-8{}-{}-AA{}", (4, _DIGITS), (5, _DIGITS), (3, _DIGITS)),
    "serial number": ("Serial Number: 5CD{}", (8, f"{_DIGITS}XYZ")),
    "serial number in German": ("Seriennummer : PF{}", (8, f"{_DIGITS}XYZ")),
    "number of an installation": ("MachineGuid    REG_SZ    {}-0000-4000-8000-{}", (8, _HEX), (12, _HEX)),
    "tag of a service": ("Service Tag: 7{}", (7, f"{_DIGITS}XYZ")),
    "account of a bank": ("IBAN DE8{}", (19, _DIGITS)),
    "account of Entra": ("S-1-12-1-{}-{}-{}-{}", (10, _DIGITS), (9, _DIGITS), (10, _DIGITS), (9, _DIGITS)),
}  # fmt: skip
FRAMES = (
    "{}", "using {} now", "login('{}')", 'login("{}")', "2026-01-12 10:00:00 INFO root: {}", '{{"a": "{}"}}', "f('{}')", "({})",
)  # fmt: skip


def _make(form: tuple, seed: int) -> tuple[str, list[str]]:
    chance = random.Random(seed)
    # Each has a digit and both cases, as all but a few of the real ones.
    parts = [
        "".join(chance.choice(signs) for _ in range(count - 3)) + "".join(chance.sample(signs[-12:], 3))
        for count, signs in form[1:]
    ]
    return form[0].format(*parts), parts


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", FORMS)
def test_token_is_hidden_whole(name: str, frame: str) -> None:
    for seed in range(5):
        token, parts = _make(FORMS[name], seed)
        shown = redact(frame.format(token), Identity())
        pieces = [piece for part in parts for piece in re.findall(r"[A-Za-z0-9_-]{7,}", part)]
        assert [piece for piece in pieces if piece in shown] == [], shown


@pytest.mark.parametrize("kind", ["PGP PRIVATE KEY BLOCK", "RSA PRIVATE KEY", "PRIVATE KEY"])
@pytest.mark.parametrize("cut", [0, 1, 4])
def test_key_is_hidden_whose_first_lines_are_cut_off(kind: str, cut: int) -> None:
    chance = random.Random(kind)
    lines = ["".join(chance.choice(_BASE64) for _ in range(64)) for _ in range(12)]
    text = "\n".join([f"-----BEGIN {kind}-----", *lines, "aGVsbG8=", f"-----END {kind}-----"][cut:])
    shown = redact(f"next\n{text}\nlast".removeprefix("next\n" if cut else ""), Identity())
    assert [line for line in lines if line[:8] in shown or line[-8:] in shown] == []


@pytest.mark.parametrize(
    "text",
    [
        "-----END CERTIFICATE-----",
        "ABCDE-FGHIJ-KLMNO-PQRST-UVWXY",
        "S-1-5-18",
        "S-1-5-32-544",
        "git/hooks/pre-commit",
        "Device ID: 0x2684",
        "serial number mismatch",
        "serial = torch.load(x)",
        "image tag 2026-01-01",
        "password-for-login: see the page",
        "login(username)",
    ],
)
def test_what_is_no_token_stays(text: str) -> None:
    assert redact(text, Identity()) == text
