import os
import sys


class Folder:
    def __init__(self, root, count):
        self.samples = [os.path.join(root, str(number) + ".npz") for number in range(count)]

    def __getitem__(self, index):
        return self.samples[index].split("/")[-1].split(".")[0]


def write(root, images, first: int):
    for number, image in enumerate(images):
        path = os.path.join(root, "%06d_%s.png" % (number, image.width), f"{number}.png")
        print(path.split("/")[-1])
        print(os.path.join(root, "{:04d}.png".format(image.number)).split("/")[-1])
        print(os.path.join(root, "%d-%s.png" % (image.number, first)).split("/")[-1])
        print(os.path.join(root, str(first + 1).zfill(4)).rsplit("/", 1)[1])


write(sys.argv[1], [], len(sys.argv))
