"""Load the facts of third parties, each with the probe that observes it."""

import inspect
from collections.abc import Callable, Mapping
from types import ModuleType

from torchdoctor.core.record import record
from torchdoctor.engine.plugins import Broken, describe_exception, find_plugins
from torchdoctor.facts import SUBJECTS, is_fact, occurs_many_times, subject_of

GROUP = "torchdoctor.probes"


@record
class PluginProbe:
    """The probe of a third party's fact: a function that takes the examined interpreter, or nothing."""

    function: Callable[..., object]
    needs_interpreter: bool

    def load(self) -> Callable[..., object]:
        """Return the function, as the probes of torchdoctor do."""
        return self.function


@record
class PluginFacts:
    """The probes by fact, and what could not be loaded."""

    probes: Mapping[type, PluginProbe]
    broken: tuple[Broken, ...] = ()


def load_plugin_facts() -> PluginFacts:
    """Load `PROBES`, which maps each fact to its probe, from the module that each entry point names."""
    probes: dict[type, PluginProbe] = {}
    broken: list[Broken] = []
    subjects = {subject_of(fact) for fact in SUBJECTS}
    for plugin in find_plugins(GROUP):
        try:
            own = _read_module(plugin.load())
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            broken.append(Broken(plugin.name, f"{plugin.package}: {describe_exception(error)}"))
            continue
        for fact, probe in own.items():
            if subject_of(fact) in subjects:
                broken.append(
                    Broken(plugin.name, f"{plugin.package}: there is a fact {subject_of(fact)} already")
                )
                continue
            subjects.add(subject_of(fact))
            probes[fact] = probe
    return PluginFacts(probes, tuple(broken))


def _read_module(module: ModuleType) -> Mapping[type, PluginProbe]:
    """Return the probes of a module.

    Raises:
        TypeError: it has no `PROBES`, or one of them is no fact with a function.
    """
    probes = getattr(module, "PROBES", None)
    if not isinstance(probes, dict):
        raise TypeError("the module has no dictionary PROBES, of a function for each fact")
    for fact, function in probes.items():
        if not is_fact(fact) or occurs_many_times(fact) or not callable(function):
            raise TypeError(f"PROBES has {fact!r}, which is no fact with a function")
    return {
        fact: PluginProbe(function, bool(inspect.signature(function).parameters))
        for fact, function in probes.items()
    }
