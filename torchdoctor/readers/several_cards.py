"""The cards of a machine that has several, as one sentence lists them: by numbers or side by side."""

from collections.abc import Sequence
from itertools import pairwise

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_names import Card, find_cards

# What stands in front of a card that has a number: "GPU 0 is a Tesla K80", "cuda:1 = RTX 3090".
_NUMBER = (
    r"\b(?:gpu|card|device|cuda) ?[#:]?(?P<number>\d)(?!\d)(?: is|:| ?=|,|\))? ?"
    r"(?:(?:an?|the|my|nvidia) ){0,3}[(]?$"
)
# What stands between two cards of one machine: their memory, and a word that adds one.
_ADDS = (
    r" ?[,(（]{0,2} ?(?:with )?(?:\d{1,2} ?GB?(?: VRAM)?)?[)）]?,? ?"
    r"(?:(?:and|plus|und|et|y|e|и|и ещё|with|as well as|along with|together with) |[&+,、和跟与と] ?)"
    r"(?:also )?(?:(?:an?|one|my|the|ein(?:e[rn]?)?|une?|una?|uma|1 ?x?|一张|一块) )?"
    r"(?:(?:second|old|older|new|nvidia|geforce|spare) ){0,2}"
    r"(?:(?:gpu|card|device) ?\d(?: is|:)? (?:an? )?)?$"
)
# Who has one or the other has not both. These say that the cards are in one machine.
_TOGETHER = (
    r"^\W{0,4}(?:windows|win ?1[01]|w1[01]|ubuntu|linux)\b"
    r"|\b(?:second(?:ary)?|both|two|dual|multi(?:ple)?|2|also) (?:gpus?|(?:graphics |video )?cards?)\b"
    r"|\b(?:i(?:['’]ve| have| also have)(?: got)?|i (?:use|run|own|got)|my (?:pc|machine|rig|system|computer"
    r"|desktop|workstation|setup)(?: has|:| is| with)?|(?:the|this) (?:pc|machine|rig|system|computer)"
    r" (?:has|with)|built an? rig|ich habe"
    r"|j['’]ai|tengo|tenho|у меня|我有|我的(?:电脑|机器)有?)\b"
)


def list_cards(sentence: str) -> list[Card]:
    """Return the cards of one machine in the order of their numbers, none where it has no two."""
    cards = [each for each in find_cards(sentence) if each.is_sure]
    if len(cards) < 2:
        return []
    numbered = {
        number["number"]: card
        for card in cards
        if (number := pattern(_NUMBER, True).search(sentence[max(0, card.start - 40) : card.start]))
    }
    if len(numbered) == len(cards) and sorted(numbered) == [str(each) for each in range(len(cards))]:
        return [numbered[each] for each in sorted(numbered)]
    return cards if _are_together(sentence, cards) else []


def _are_together(sentence: str, cards: Sequence[Card]) -> bool:
    """Return whether each card is added to the one before it, and the sentence says whose they are."""
    if not pattern(_TOGETHER, True).search(sentence):
        return False
    gaps = (sentence[one.end : other.start] for one, other in pairwise(cards))
    return all(pattern(_ADDS, True).match(gap) for gap in gaps)
