"""Write an HTML page that needs nothing else: no network, no other file."""

import base64
import hashlib
from collections.abc import Sequence

from torchdoctor.core.bundled import read_bundled
from torchdoctor.renderers.html.elements import Content, Markup, element


def write_page(title: str, body: Sequence[Content]) -> str:
    """Return a page with its style and its script, which its policy names by their hashes."""
    style = read_bundled("torchdoctor.renderers.html", "page.css").decode("utf-8").replace("\r\n", "\n")
    script = read_bundled("torchdoctor.renderers.html", "page.js").decode("utf-8").replace("\r\n", "\n")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", Markup(style)),
    )
    whole = element("html", head, element("body", *body, element("script", Markup(script))), lang="en")
    return f"<!DOCTYPE html>\n{whole.html}\n"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
