"""Find which of several NVIDIA cards of a text the installed torch has code for."""

from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.computer.driver_cuda import read_cuda

TYPE_CHECKING = False
if TYPE_CHECKING:
    from torchdoctor.domain.capabilities import Capability
    from torchdoctor.domain.torch_choice import Choice
    from torchdoctor.readers import Environment

_NO_IMAGE = r"no kernel image is available|invalid device function|not compatible with the current pytorch"
_ONE_COMPUTER = (
    r"\b(?:in (?:one|the same) (?:pc|computer|machine|box|case|rig)|dual gpus?|(?:both|beiden?) (?:cards|gpus"
    r"|karten)\b"
    r"|(?:two|2) (?:nvidia )?(?:gpus|cards|graphics cards)|dataparallel)\b|\bgpus ?[:=]"
    r"|\b(?:im selben|in einem) (?:pc|rechner)\b|\ben (?:el|la) mism[oa]\b|\bdans le même\b"
    r"|(?:两|兩|2) ?[张張块塊]"
)
# Computers that a text tells apart.
_SEVERAL_COMPUTERS = (
    r"\b(?:two|2|both) (?:pcs|computers|machines|laptops)\b"
    r"|\b(?:pc|computer|machine|laptop|rechner|ordenador) ?(?:[ab12]|one|two)\b[^\n]{0,80}"
    r"\b(?:pc|computer|machine|laptop|rechner|ordenador) ?(?:[ab12]|one|two)\b"
)
_SPELLINGS = {"geforce": "GeForce", "quadro": "Quadro", "tesla": "Tesla", "black": "Black", "titan": "Titan"}


def describe_several_cards(
    values: Mapping[str, str], text: str, environments: "Sequence[Environment]"
) -> Mapping[str, str]:
    """Return what is said of cards of which torch has code for some, where it says that it has none.

    Where they are in one computer, `better_card` is the newest, which has code; if that has none, `both_set`
    are pip's arguments for a build with code for all of `both_cards`, and without such a build `newest_card`
    is the card that is worth one. Where they may be in several, `lacking_card` is one without code, on which
    the program computes, `covered_card` one with code, and `sm` that of the first.
    """
    release, _, build = values.get("torch_version", "").partition("+")
    if not build.startswith("cu") or not pattern(_NO_IMAGE, True).search(text):
        return {}
    # Imported here: the tables take long to import.
    from torchdoctor.domain.cuda_variants import find_variants, find_variants_for_card

    if build not in find_variants(release):
        return {}
    cards, are_together = _list_cards(text, environments)
    are_together = are_together and not pattern(_SEVERAL_COMPUTERS, True).search(text)
    covered: dict[Capability, str] = {}
    lacking: dict[Capability, str] = {}
    for capability, name in cards.items():
        has_code = build in find_variants_for_card(release, capability)
        (covered if has_code else lacking)[capability] = name
    if not covered or not lacking:
        return {}
    newest = max(cards)
    if newest in covered:
        if are_together:
            return {"better_card": spell_card(cards[newest])}
        return _describe_lacking(values, max(lacking), lacking, spell_card(cards[newest]))
    return _describe_both(values, cards) if are_together else {}


def _list_cards(text: str, environments: "Sequence[Environment]") -> tuple[dict["Capability", str], bool]:
    """Return cards by their compute capability, and whether they are in one computer."""
    for environment in environments:
        together = {each: name for name, each in list_stated_cards([environment]) if each is not None}
        if len(together) > 1:
            return together, True
    stated = {each: name for name, each in list_stated_cards(environments) if each is not None}
    return {**_list_named(text), **stated}, pattern(_ONE_COMPUTER, True).search(text) is not None


def _list_named(text: str) -> dict["Capability", str]:
    """Return the cards that a text names, whosever they are, with their whole names where these are known."""
    from torchdoctor.domain.gpu_names import find_capability, list_named_capabilities
    from torchdoctor.readers.card_names import find_cards
    from torchdoctor.readers.values import is_nvidia

    named = {capability: name for name, capability in list_named_capabilities(text)}
    for card in (card for line in text.split("\n") for card in find_cards(line) if card.is_sure):
        capability = find_capability(card.name) if is_nvidia(card.name) else None
        if capability is not None:
            named[capability] = card.name
    return named


def _describe_lacking(
    values: Mapping[str, str], capability: "Capability", lacking: Mapping["Capability", str], covered: str
) -> Mapping[str, str]:
    choice = _choose(values, [capability])
    found = {
        "lacking_card": spell_card(lacking[capability]),
        "covered_card": covered,
        "sm": f"sm_{capability[0]}{capability[1]}",
    }
    return {**found, **({"lacking_set": choice.arguments} if choice is not None else {})}


def _describe_both(values: Mapping[str, str], cards: Mapping["Capability", str]) -> Mapping[str, str]:
    choice = _choose(values, list(cards))
    if choice is None:
        return {"newest_card": spell_card(cards[max(cards)])}
    names = [spell_card(cards[each]) for each in sorted(cards)]
    return {
        "both_cards": f"{', '.join(names[:-1])} and {names[-1]}",
        "both_set": choice.arguments,
        "both_release": choice.release,
    }


def _choose(values: Mapping[str, str], capabilities: "Sequence[Capability]") -> "Choice | None":
    from torchdoctor.domain.torch_choice import Computer, choose_torch

    return choose_torch(
        Computer(
            python=values.get("python_version"),
            capabilities=tuple(sorted(capabilities)),
            cuda=read_cuda(values),
            torch=values.get("torch_version"),
        )
    )


def list_stated_cards(
    environments: "Sequence[Environment]",
) -> Iterator[tuple[str, "Capability | None"]]:
    """Yield the cards of NVIDIA that the environments of a text have, with what is known of them."""
    # Imported here, as above.
    from torchdoctor.domain.gpu_names import find_capability
    from torchdoctor.readers import Topic
    from torchdoctor.readers.values import is_nvidia

    for environment in environments:
        for card in environment.find_all(Topic.GPU):
            if is_nvidia(card.value):
                yield card.value, find_capability(card.value)


def spell_card(name: str) -> str:
    """Return the name of a card as NVIDIA writes it, without the name of NVIDIA."""
    words = (_SPELLINGS.get(word.lower(), word.upper()) for word in name.split() if word.lower() != "nvidia")
    return pattern(r"\bTI\b").sub("Ti", " ".join(words))
