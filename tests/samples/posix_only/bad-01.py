import signal


def h(*a):
    pass


signal.signal(signal.SIGALRM, h)
