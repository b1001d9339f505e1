from torch.utils.data import DataLoader as D


class T:
    def __init__(self):
        self.l = D(ds, num_workers=2)

    def run(self):
        self.go()

    def go(self):
        for x in self.l:
            pass


T().run()
