"""Leave out of what is shared what can be a secret, or the name of a person, a computer, a company."""
