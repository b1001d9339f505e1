"""What every other package uses: the record decorator, the bundled files, the usage error, the version."""
