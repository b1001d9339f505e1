import datetime

f = open(f"log_{datetime.datetime.now():%Y-%m-%d_%H:%M:%S}.txt", "w")
