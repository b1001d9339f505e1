import glob
import os
import re

NUMBER = re.compile(r"/(\d+)\.png$")
paths = sorted(glob.glob("a/*.png"), key=lambda path: int(NUMBER.search(path).group(1)))
for path in paths:
    name = re.match(r".*/([^/]+)\.png", path)[1]
    number = re.findall(r"/img_(\d+)\.", path)[0]
    short = re.sub(r".*/", "", path)
    shorter = path[path.rfind("/") + 1 :]
    again = path[path.rindex("/") + 1 :]

by_name = sorted(glob.glob("b/*.png"), key=lambda x: int(x.split("/")[-1][:-4]))
paths.sort(key=lambda x: x.split("/")[-1])
names = list(map(lambda x: x.split("/")[-1], paths))

for folder, _, files in os.walk("c"):
    for file in files:
        full = os.path.join(folder, file)
        label = re.search(r"/(\w+)/\w+\.txt$", full).group(1)
