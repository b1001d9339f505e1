from dask.distributed import Client

client = Client("tcp://10.0.0.1:8786")
threads = Client(processes=False)
