"""Words that anybody may see, by the lists of programs, messages and entries, and by their place."""
