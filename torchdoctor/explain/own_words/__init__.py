"""Texts in own words, without a message: by their words and concepts, which entries they may be about."""
