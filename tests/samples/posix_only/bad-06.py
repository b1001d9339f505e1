# The handler raises what it caught, so that nothing is passed over.
import signal

import train

try:
    signal.signal(signal.SIGUSR1, train.save)
    train.run()
except Exception as error:
    print("stopped")
    raise error
