"""What training code does with torch: loaders, datasets, devices, queues, processes, file names."""
