import logging
import time


def report(step, rate):
    elapsed = time.strftime("%H:%M:%S", time.gmtime(step))
    logging.info(f"** Done, elapsed: {elapsed} (hours), avg: {rate:0.1f} sec/image")
    print(f"elapsed: {elapsed}, {rate} it/s")
    print("elapsed %s at %f samples/sec" % (elapsed, rate))
