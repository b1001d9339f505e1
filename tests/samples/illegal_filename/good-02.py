import logging

logging.basicConfig(format="%(asctime)s", datefmt="%H:%M:%S", filename="a.log")
