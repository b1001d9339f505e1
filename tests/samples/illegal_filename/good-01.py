from datetime import datetime

print(datetime.now().strftime("%H:%M:%S"))
