import torch.multiprocessing as mp


class Loader:
    def __init__(self, start_method: str = "fork"):
        self.start_method = start_method
        if self.start_method == "fork":
            print("fast")

    def start(self):
        return mp.get_context(self.start_method)
