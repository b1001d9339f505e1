import queue, torch

q = queue.Queue()
q.put(torch.ones(1).cuda())
