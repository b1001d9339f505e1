import os

from cog import BasePredictor


class Predictor(BasePredictor):
    def setup(self):
        os.system("wget https://example.org/model.pt")
        os.sync()
