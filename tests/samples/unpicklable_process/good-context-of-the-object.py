import moderngl
import torch.multiprocessing as mp


class Window:
    def __init__(self):
        self.context = moderngl.get_context()
        self.manager = self.context.Manager()
        self.worker = self.context.Process(target=self.draw)

    def draw(self):
        self.context.Process(target=lambda: None)


class Changed:
    def __init__(self, other):
        self.context = mp.get_context("spawn")
        self.context = other
        self.context = self.context.get_context()
        self.manager = self.context.Manager()
        self.worker = self.context.Process(target=self.run)

    def run(self):
        print(self.manager)
