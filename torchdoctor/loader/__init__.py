"""The safe DataLoader: the plan and what applies it."""
