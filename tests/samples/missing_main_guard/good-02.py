import threading

p = threading.Thread(target=f)
p.start()
