"""What every other package uses: the decorator of values, the doctor's own files, the usage error."""
