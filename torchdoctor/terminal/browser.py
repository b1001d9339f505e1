"""Opens pages in the browser of the user."""


def open_page(address: str) -> bool:
    """Open a page, and return whether a browser was found."""
    # Imported here: few runs open a page.
    import webbrowser

    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False
