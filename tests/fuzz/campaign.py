"""Make up inputs of every kind, and look for one that torchdoctor does not answer.

    python tests/fuzz/campaign.py [--minutes M] [--inputs N] [--seed S] [--guided] [TARGET...]

Each target has the same share of the minutes, or N inputs. An input that breaks a promise is made as small as
possible and printed with its target, and the others go on; then the exit code is 1. With --guided, atheris chooses
the inputs by the code that they reach (`pip install atheris`), and one target runs.
"""

import argparse
import io
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import tuples

# An input that takes longer counts as a hang.
LIMIT_SECONDS = 30
# The inputs of a seed; a run with the same seed begins with the same inputs, on whatever machine.
CHUNK = 50


if TYPE_CHECKING:
    from targets import Target


class Hang(Exception):
    """An input took too long."""


@contextmanager
def limited() -> Iterator[None]:
    """Raise Hang in code that runs too long; on Windows there is no limit."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise Hang(f"more than {LIMIT_SECONDS} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def run_target(target: "Target", seed_number: int, deadline: float, inputs: int) -> tuple[int, str]:
    """Feed a target until the deadline, with at most so many inputs; return their number and what broke it."""
    done = 0

    def feed(arguments: tuple[object, ...]) -> None:
        nonlocal done
        done += 1
        with limited():
            target.function(*arguments)

    while done < inputs and time.monotonic() < deadline:
        seed_number += 1
        chunk = settings(
            max_examples=min(CHUNK, inputs - done), deadline=None, database=None, report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink),
        )(seed(seed_number)(given(tuples(*target.strategies))(feed)))  # fmt: skip
        try:
            with redirect_stdout(io.StringIO()):
                chunk()
        except Exception as error:
            return done, describe(error)
    return done, ""


def describe(error: Exception) -> str:
    """Return the input that Hypothesis found, and the last frames of the exception."""
    frames = traceback.format_list(traceback.extract_tb(error.__traceback__)[-6:])
    notes = "\n".join(getattr(error, "__notes__", ()))
    return f"{''.join(frames)}{type(error).__name__}: {str(error)[:500]}\n{notes[:2000]}"


def run_guided(name: str, seconds: float) -> None:
    """Feed one target with what atheris makes of the code that it reaches."""
    import atheris

    with atheris.instrument_imports(include=["torchdoctor"]):
        from targets import TARGETS
    target = TARGETS[name]

    @given(tuples(*target.strategies))
    def feed(arguments: tuple[object, ...]) -> None:
        target.function(*arguments)

    options = [sys.argv[0], f"-max_total_time={seconds:.0f}", f"-timeout={LIMIT_SECONDS}"]
    atheris.Setup(options, feed.hypothesis.fuzz_one_input)
    atheris.Fuzz()


def main() -> None:
    """Run the targets one after the other, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=0.0, help="of all targets together")
    parser.add_argument("--inputs", type=int, default=0, help="of each target")
    parser.add_argument("--seed", type=int, default=0, help="by default, the time")
    parser.add_argument("--guided", action="store_true", help="let atheris choose the inputs of one target")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    arguments = parser.parse_args()
    if arguments.guided:
        run_guided(arguments.targets[0], arguments.minutes * 60)
        return
    from targets import TARGETS

    names = arguments.targets or list(TARGETS)
    if unknown := set(names) - set(TARGETS):
        parser.error(f"no target is called {', '.join(unknown)}; there are {', '.join(sorted(TARGETS))}")
    first_seed = arguments.seed or time.time_ns() % 10**9
    inputs = arguments.inputs or (10**9 if arguments.minutes else 200)
    share = arguments.minutes * 60 / len(names) if arguments.minutes else 10**9
    total, broken = 0, 0
    for name in names:
        started = time.monotonic()
        done, problem = run_target(TARGETS[name], first_seed, started + share, inputs)
        total += done
        broken += bool(problem)
        seconds = time.monotonic() - started
        print(f"{name:16} {done:8} inputs  {seconds:7.1f} s  {'BROKEN' if problem else 'held'}", flush=True)
        if problem:
            print(f"{problem}\n", flush=True)
    print(f"{total} inputs, seed {first_seed}: {broken} of {len(names)} targets broken")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
