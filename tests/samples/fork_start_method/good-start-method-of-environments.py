import multiprocessing
import sys

from environments import VectorEnv


def make(arguments):
    print(multiprocessing.get_all_start_methods(), "fork")
    VectorEnv(arguments, multiprocessing_start_method="spawn")
    VectorEnv(arguments, mp_start_method="fork")
    if sys.platform != "win32":
        return VectorEnv(arguments, multiprocessing_start_method="forkserver")
    return None
