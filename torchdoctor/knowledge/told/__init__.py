"""What a person tells in a sentence, in the words of several languages.

A symptom names such facts with `told`: one sentence proves little, two that go together can name a cause.
"""

from collections.abc import Mapping
from types import MappingProxyType

from torchdoctor.knowledge.told.cards import CARD_FACTS
from torchdoctor.knowledge.told.fact import Told
from torchdoctor.knowledge.told.running import RUNNING_FACTS

FACTS: Mapping[str, Told] = MappingProxyType({**CARD_FACTS, **RUNNING_FACTS})
