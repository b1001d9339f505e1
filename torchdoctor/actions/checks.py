"""Show the list of the checks."""

from torchdoctor.actions.formats import LIST_FORMATS, check_format
from torchdoctor.actions.showing import show_broken, write


def checks(form: str = "text") -> int:
    """List the checks."""
    from torchdoctor.commands.checks import list_checks
    from torchdoctor.renderers import listing

    check_format(form, LIST_FORMATS)
    check_list = list_checks()
    if form == "markdown":
        text = listing.render_markdown(check_list.registry)
    else:
        render = listing.render_json if form == "json" else listing.render_text
        text = render(check_list.registry, check_list.system)
    write(text, None)
    show_broken(check_list.registry.broken)
    return check_list.exit_code
