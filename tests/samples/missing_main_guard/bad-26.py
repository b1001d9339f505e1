import torch, torchvision

NUM_WORKERS = 2
trainloader = torch.utils.data.DataLoader(t, batch_size=4, num_workers=NUM_WORKERS)
dataiter = iter(trainloader)
images, labels = next(dataiter)
