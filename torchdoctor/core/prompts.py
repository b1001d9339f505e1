"""What the shells of Windows show before a command."""

# cmd and PowerShell, with the name of an environment in front: "(venv) PS C:\app>".
PROMPT = r"(?:\([\w.-]{1,40}\) ?)?(?:PS )?[A-Za-z]:\\[^>\n]{0,200}>"
