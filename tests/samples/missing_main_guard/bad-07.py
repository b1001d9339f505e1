import multiprocessing as mp


def f(q):
    pass


ps = []
for i in range(4):
    p = mp.Process(target=f)
    p.start()
    ps.append(p)
