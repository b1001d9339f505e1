import time, os


class L:
    def __init__(self, root):
        self.stamp = time.strftime("%H:%M:%S")
        self.root = root

    def save(self):
        os.mkdir(self.root + "/" + self.stamp)
