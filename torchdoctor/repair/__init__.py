"""Mend what an examination found: the plan, what is kept before a change, the change, and the way back."""
