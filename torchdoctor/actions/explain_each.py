"""Show what each of many texts means, as soon as it is known."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchdoctor.actions.formats import TEXT_FORMATS, check_format
from torchdoctor.actions.showing import is_for_user, make_name_shareable, make_shareable, wants_colour
from torchdoctor.core.targets import keep_inputs, keep_out_of_folders
from torchdoctor.terminal import screen

if TYPE_CHECKING:
    from pathlib import Path


def explain_each(
    files: "Sequence[Path]",
    form: str = "text",
    output: "Path | None" = None,
    *,
    no_redact: bool = False,
    jobs: int = 0,
) -> int:
    """Explain many texts, and show each explanation as soon as it is there."""
    if form == "jsonl":
        return _explain_to_lines(files, output, no_redact, jobs)
    from torchdoctor.commands.explain_each import describe_failed, is_text_in_folder
    from torchdoctor.commands.explain_each import explain_each as explain_all
    from torchdoctor.renderers import explanation as renderer

    check_format(form, TEXT_FORMATS)
    keep_inputs(output, files)
    keep_out_of_folders(output, files, is_text_in_folder, "a text")
    codes = {0}
    with screen.open_output(output) as write:
        number = 0
        for each in explain_all(files, on_screen=is_for_user(form, no_redact)):
            if each.explanation is None:
                screen.show_message(each.problem or each.name)
                codes.add(each.code)
                continue
            try:
                # The path of the file can have the name that stands in the text.
                name, explanation = make_shareable(
                    (each.name, each.explanation), form, no_redact, keeps_paths=True
                )
                explanation = make_shareable(explanation, form, no_redact, is_pasted=True)
                name = f"{make_name_shareable(name, form, no_redact, keeps_file=True)}{each.mark}"
                width, colour = screen.find_width(), wants_colour(output)
                part = renderer.render_part(name, explanation, form, number + 1, width, colour)
            except Exception as error:
                problem, code = describe_failed(each.name, error)
                screen.show_message(problem)
                codes.add(code)
                continue
            number += 1
            codes.add(0 if each.explanation.recognised else 1)
            write(part)
        write(renderer.render_end(form, number))
    return max(codes)


def _explain_to_lines(files: "Sequence[Path]", output: "Path | None", no_redact: bool, jobs: int) -> int:
    from contextlib import ExitStack, closing

    from torchdoctor.commands.explain_each import LineWriting, explain_to_lines, is_text_in_folder
    from torchdoctor.core.line_file import open_lines
    from torchdoctor.engine.installation import describe_installation
    from torchdoctor.engine.own_key import read_own_key
    from torchdoctor.probes.identity import read_identity

    keep_inputs(output, files)
    keep_out_of_folders(output, files, is_text_in_folder, "a text")
    identity = None if no_redact else read_identity()
    writing = LineWriting(identity, f"{read_own_key()} {describe_installation()} {identity!r}")
    codes = {0}
    with ExitStack() as stack:
        lines = stack.enter_context(open_lines(output, screen.show))
        explained = stack.enter_context(closing(explain_to_lines(files, writing, lines, jobs)))
        for each in explained:
            if each.problem is not None:
                screen.show_message(each.problem)
                codes.add(each.code)
                continue
            codes.add(0 if each.recognised else 1)
            if each.line:
                lines.write(each.line)
    return max(codes)
