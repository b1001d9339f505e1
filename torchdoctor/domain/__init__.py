"""What several checks derive from facts and tables: CUDA builds, commit, releases, versions."""
