"""The knowledge base: one Markdown entry a problem, named like its check."""
