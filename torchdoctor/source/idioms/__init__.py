"""How training code uses torch: loaders, datasets, devices, queues, processes and file names."""
