num_workers = 8
datasets = dict(train=dict(num_worker_per_gpu=6), val={"n_worker": 12})
