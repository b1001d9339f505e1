"""What a text tells of its computer: system, cards and driver, and which torch fits them."""
