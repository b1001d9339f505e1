"""What several checks derive from facts and tables, such as CUDA builds, commit, releases and versions."""
