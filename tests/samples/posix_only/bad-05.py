import signal


class Limit:
    def __init__(self, seconds):
        self.seconds = seconds

    def __enter__(self):
        signal.alarm(self.seconds)

    def __exit__(self, *error):
        signal.alarm(0)
