from multiprocessing import Pool


def f(x):
    return x


p = Pool(4)
print(p.map(f, [1]))
