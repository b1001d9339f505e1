"""Show the schema of an output."""

from torchdoctor.actions.showing import write


def schema(name: str) -> int:
    """Show the JSON Schema of an output."""
    from torchdoctor.commands.schema import read_schema

    json_schema = read_schema(name)
    write(json_schema.text, None)
    return json_schema.exit_code
