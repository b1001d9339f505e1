from datetime import datetime

log_dir = f"runs/{datetime.now().isoformat()}"
