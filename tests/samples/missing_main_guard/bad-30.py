# Without an address, the client starts worker processes of its own.
from dask.distributed import Client

client = Client(n_workers=4)
