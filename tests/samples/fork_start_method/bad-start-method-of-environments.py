import multiprocessing

from environments import VectorEnv


def make(arguments):
    context = multiprocessing.get_context("spawn")
    print(context)
    return VectorEnv(arguments, multiprocessing_start_method="forkserver")
