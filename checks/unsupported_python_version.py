"""There is no torch for this Python version, or the installed one was built for another Python."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.releases import READ_ON, find_newest_python, find_newest_release, find_releases
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import Absent, EnvironmentVariables, Interpreter, OperatingSystem, TorchInstall


@check
def unsupported_python_version(
    system: OperatingSystem,
    interpreter: Interpreter,
    torch: TorchInstall | Absent,
    variables: EnvironmentVariables | Absent,
) -> Iterator[Finding | Passed]:
    """Judge an installed torch by its files; use the table of wheels only where there is none."""
    try:
        parse_release(interpreter.version)
    except VersionError as error:
        raise Skip(str(error)) from error
    if isinstance(torch, TorchInstall):
        yield from _compare_installed(interpreter, torch, variables)
        return
    if interpreter.finds_torch is not False:
        raise Skip(torch.reason)
    if system.system != "windows" or interpreter.machine != "x64":
        raise Skip("the table of wheels is for x64 Pythons on Windows")
    yield from _judge_by_wheels(interpreter)


def _compare_installed(
    interpreter: Interpreter, torch: TorchInstall, variables: EnvironmentVariables | Absent
) -> Iterator[Finding | Passed]:
    if interpreter.implementation != "CPython":
        raise Skip(f"the tags of {interpreter.implementation} are not compared")
    extensions = known(torch.extension_tags)
    tags = [tag.replace("cpython-", "cp").partition("-")[0] for tag in extensions]
    wanted = _find_tag(interpreter)
    # A plain `_C.pyd` and the stable ABI fit any Python.
    if wanted in tags or any(tag in ("pyd", "so") or tag.startswith("abi") for tag in tags):
        yield Passed(f"the installed torch is built for this {_describe(interpreter)}")
    else:
        yield Finding(
            f"the torch in {torch.package_folder} is built for {', '.join(tags)}, and this is"
            f" {_describe(interpreter)} ({wanted})",
            evidence={"extension_tags": list(extensions), "wanted": wanted},
            step="path" if _is_on_python_path(torch, interpreter, variables) else "environment",
        )


def _is_on_python_path(
    torch: TorchInstall, interpreter: Interpreter, variables: EnvironmentVariables | Absent
) -> bool:
    """Return whether PYTHONPATH names the folder that contains this torch."""
    value = (variables.find("PYTHONPATH") if isinstance(variables, EnvironmentVariables) else None) or ""
    folders = [normalise(folder) for folder in value.split(";" if interpreter.is_for_windows else ":")]
    return normalise(torch.package_folder).rpartition("\\")[0] in folders


def _judge_by_wheels(interpreter: Interpreter) -> Iterator[Finding | Passed]:
    if interpreter.implementation != "CPython":
        yield Finding(
            f"this is {interpreter.implementation}; torch has wheels for CPython only", step="environment"
        )
        return
    releases = find_releases(_find_tag(interpreter))
    evidence = {"python_version": interpreter.version}
    if not releases:
        is_newer = parse_release(interpreter.version)[:2] > find_newest_python()
        yield Finding(
            f"no torch up to {find_newest_release()} has a Windows wheel for {_describe(interpreter)}"
            f" (as of {READ_ON})",
            evidence=evidence,
            # Wheels for a newer Python may have been released since.
            severity=Severity.WARNING if is_newer else None,
            step="environment",
        )
    elif releases[-1] != find_newest_release():
        yield Finding(
            f"the newest torch with a Windows wheel for {_describe(interpreter)} is {releases[-1]};"
            f" {find_newest_release()} has none",
            evidence=evidence,
            severity=Severity.NOTE,
            step="install",
        )
    else:
        yield Passed(
            f"torch {releases[0]} to {releases[-1]} have Windows wheels for {_describe(interpreter)}"
        )


def _find_tag(interpreter: Interpreter) -> str:
    major, minor = (*parse_release(interpreter.version), 0)[:2]
    return f"cp{major}{minor}{'t' if interpreter.free_threaded else ''}"


def _describe(interpreter: Interpreter) -> str:
    threads = ", free-threaded" if interpreter.free_threaded else ""
    return f"{interpreter.implementation} {interpreter.version}{threads}"
