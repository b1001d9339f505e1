from multiprocessing.dummy import Pool

p = Pool(4)
