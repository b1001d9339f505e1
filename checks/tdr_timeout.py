"""Windows resets the display driver when GPU work takes too long, or the settings for this were changed."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.domain.gpus import NVIDIA_DRIVER
from torchdoctor.facts import Absent, GraphicsSettings, SystemEvent, SystemEvents

# Registry value, field of GraphicsSettings and default;
# https://learn.microsoft.com/windows-hardware/drivers/display/tdr-registry-keys.
DEFAULTS = (
    ("TdrLevel", "tdr_level", 3),
    ("TdrDelay", "tdr_delay_seconds", 2),
    ("TdrDdiDelay", "tdr_ddi_delay_seconds", 5),
    ("TdrLimitTime", "tdr_limit_seconds", 60),
    ("TdrLimitCount", "tdr_limit_count", 5),
    ("TdrDebugMode", "tdr_debug_mode", 2),
)
# What the entry advises to set.
DELAYS = ("TdrDelay", "TdrDdiDelay")
# Longer than the delay that the entry advises, within which a step that is only long ends as well.
LONG_DELAY_SECONDS = 10
# The event with which NVIDIA's driver logs the reset of an engine of the card.
ENGINE_RESET = 153
# What each level below the default does when the GPU hangs.
LEVELS = {
    0: "the watchdog is off, so a hung kernel freezes the computer",
    1: "a hung kernel ends in a blue screen",
    2: "a recovery that Windows does not implement",
}


@check
def tdr_timeout(
    settings: GraphicsSettings | Absent, events: SystemEvents | Absent
) -> Iterator[Finding | Passed]:
    """Report TDR settings that differ from the defaults, and logged resets of the display driver."""
    if isinstance(settings, Absent) and isinstance(events, Absent):
        raise Skip(settings.reason)
    findings: list[Finding] = []
    observations: list[str] = []
    if isinstance(settings, Absent):
        observations.append(f"TDR settings not known: {settings.reason}")
    else:
        observations.append(
            "TDR settings are Windows' defaults" if not _find_changed_settings(settings) else "TDR is set"
        )
        findings += _judge_settings(settings)
    if isinstance(events, Absent):
        observations.append(f"resets not known: {events.reason}")
    else:
        resets = [event for event in events.find("Display", 4101) if _concerns_nvidia(event)]
        observations.append(f"no reset was logged in the last {events.days} days")
        changed = [] if isinstance(settings, Absent) else _find_changed_settings(settings)
        findings += _judge_resets(resets, events, changed)
    yield from findings
    if not findings:
        yield Passed("; ".join(observations))


def _find_changed_settings(settings: GraphicsSettings) -> list[tuple[str, int, int]]:
    values = ((name, getattr(settings, field), default) for name, field, default in DEFAULTS)
    return [(name, value, default) for name, value, default in values if value not in (None, default)]


def _judge_settings(settings: GraphicsSettings) -> Iterator[Finding]:
    harmless = []
    for name, value, default in _find_changed_settings(settings):
        harm = _find_harm(name, value, default)
        if harm is None:
            if not (name in DELAYS and value <= LONG_DELAY_SECONDS):
                harmless.append((name, value, default))
            continue
        yield Finding(
            f"{name} is {value} (default {default}): {harm}",
            evidence={"name": name, "value": value, "default": default, "names": name},
            severity=Severity.WARNING,
            step="defaults",
        )
    if harmless:
        name, value, default = harmless[0]
        yield Finding(
            ", ".join(f"{each} is {is_now} (default {was})" for each, is_now, was in harmless),
            evidence={"name": name, "value": value, "default": default, "names": _list_names(harmless)},
            severity=Severity.NOTE,
            step="defaults",
        )
    for name in settings.mistyped:
        message = f"{name} is not stored as REG_DWORD, the only type that is documented for it"
        yield Finding(
            message, evidence={"name": name, "names": name}, severity=Severity.NOTE, step="defaults"
        )


def _list_names(settings: list[tuple[str, int, int]]) -> str:
    return ", ".join(name for name, _, _ in settings)


def _find_harm(name: str, value: int, default: int) -> str | None:
    if name == "TdrLevel":
        return LEVELS.get(value)
    if name == "TdrDelay" and value < default:
        return "Windows resets the driver sooner than by default"
    return None


def _judge_resets(
    resets: list[SystemEvent], events: SystemEvents, changed: list[tuple[str, int, int]]
) -> Iterator[Finding]:
    if not resets:
        return
    times = _describe_count(resets, events)
    message = (
        f"Windows reset the display driver {times} in the last {events.days} days, "
        f"last at {resets[0].written_time} (event 4101)"
    )
    evidence: dict[str, object] = {"resets": len(resets), "last": resets[0].time}
    delay = next((value for name, value, _ in changed if name == "TdrDelay"), 0)
    if delay <= LONG_DELAY_SECONDS or not events.find(NVIDIA_DRIVER, ENGINE_RESET):
        yield Finding(message, evidence=evidence, severity=Severity.WARNING)
        return
    yield Finding(
        f"{message}, although TdrDelay is {delay} (default 2)",
        evidence=evidence | {"delay": delay, "names": _list_names(changed)},
        severity=Severity.WARNING,
        step="hangs",
    )


def _concerns_nvidia(event: SystemEvent) -> bool:
    # The event names the driver that was reset, but the log may have no text for it.
    return not event.details or any(NVIDIA_DRIVER in text.lower() for text in event.details)


def _describe_count(resets: list[SystemEvent], events: SystemEvents) -> str:
    count = "once" if len(resets) == 1 else f"{len(resets)} times"
    return count if events.is_complete else f"at least {count}"
