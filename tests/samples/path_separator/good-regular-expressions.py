import glob
import os
import re

ANY = re.compile(r"[/\\](\d+)\.png$")
for path in glob.glob("data/images/*.png"):
    print(re.search(r"[/\\](\d+)\.png", path).group(1))
    print(re.search(r"(?:/|\\)(\d+)\.png", path).group(1))
    print(re.search(r"(\d+)\.png", path).group(1))
    print(re.search(r"^data/(\w+)", path).group(1))
    print(re.search(r"images/?(\d+)\.png", path.replace("\\", "/")).group(1))
    print(re.search(r"/(\d+)\.png", path.replace(os.sep, "/")).group(1))
    print(re.search(r"/?(\d+)\.png", path).group(1))
    print(ANY.search(path).group(1))
    print(re.search(r"/v(\d+)\.html", url).group(1))
    print(re.sub(r"^data/", "", path))
    print(re.sub(r".*/", "", url))
    match = re.search(r"/(\d+)\.png", path)
    if match:
        print(match.group(1))
    try:
        print(re.search(r"/(\d+)\.png", path).group(1))
    except AttributeError:
        print(path)
    print(url.rfind("/"), path.rfind("."), path.find("/"))

urls = sorted(read_urls(), key=lambda url: url.split("/")[-1])
print(max(glob.glob("a/*.pt"), key=lambda path: os.path.getmtime(path)))
print(sorted(glob.glob("a/*.pt"), key=lambda path: path.replace("\\", "/").split("/")[-1]))
print(list(map(lambda path, name: name.split("/")[-1], glob.glob("a/*"), names)))
