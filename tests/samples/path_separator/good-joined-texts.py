import os
import sys


def show(root, name, number):
    keys = ["/".join((root, str(each))) for each in range(4)]
    print(keys[0].split("/")[-1])
    # A name of another kind may have slashes.
    print(os.path.join(root, str(name) + ".npz").split("/")[-1])
    print(os.path.join(root, "%s.png" % name).split("/")[-1])
    print(os.path.join(root, "%d/%d.png" % (number, number)).split("/")[-1])
    print(os.path.join(root, "{:03d}/{}.png".format(number, name)).split("/")[-1])
    print(os.path.join(root, "{}.png".format(name)).split("/")[-1])
    print(os.path.join(root, "{0}.png".format(number)).split("/")[-1])
    print(os.path.join(root, "%(name)s.png" % {"name": name}).split("/")[-1])
    print(os.path.join(root, f"{name}").split("/")[-1])


for line in open(sys.argv[1]):
    path = os.path.join("data", line.rstrip())
    print(path.split("/")[-1])
    print(path.split("/")[-3] + "_" + path.split("/")[-2])
show("data", sys.argv[1], sys.argv[2])
