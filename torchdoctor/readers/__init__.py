"""Read the environment out of any text: statements with their lines, and facts for the checks."""

from torchdoctor.readers.environment import Conflict, Environment, read_environments
from torchdoctor.readers.statements import Lines, Statement, Topic

__all__ = ["Conflict", "Environment", "Lines", "Statement", "Topic", "read_environments"]
