"""What the shells of Windows show before a command."""

# cmd and PowerShell, with the name of an environment in front: "(venv) PS C:\app>". Names in the path can be
# hidden already: C:\Users\<user>>.
PROMPT = r"(?:\([\w.-]{1,40}\) ?)?(?:PS )?[A-Za-z]:\\(?:[^<>\"|?*\n]|<[a-z]{2,20}>){0,200}>"
