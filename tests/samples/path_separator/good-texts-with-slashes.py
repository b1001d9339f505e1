import glob
import json
import os
import tarfile
import urllib.parse
import zipfile
from pathlib import Path, PurePosixPath

import fsspec
from huggingface_hub import list_repo_files


def address(url):
    print(url.split("/")[-1], urllib.parse.urlparse(url).path.split("/")[-1])


def in_archives(file, root):
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            print(name.split("/")[-1], os.path.join(root, name).split("/")[-1])
    with tarfile.open(file) as archive:
        print([name.split("/")[-1] for name in archive.getnames()])
        for member in archive:
            print(member.name.split("/")[-1])


def in_stores(bucket, key):
    files = fsspec.filesystem("s3").glob(f"s3://{bucket}/*.tar")
    print([each.split("/")[-1] for each in files], key.split("/")[-1], "hdfs://a/b".split("/")[-1])
    print(PurePosixPath(key, "a").as_posix().split("/")[-1], str(PurePosixPath(key)).split("/")[-1])


def of_the_hub(model_id="facebook/opt-125m"):
    os.makedirs(os.path.join("out", model_id.replace("/", "--")))
    print(model_id.split("/")[-1], [each.split("/")[-1] for each in list_repo_files(model_id)])


def of_a_module(path):
    return ".".join(path.split("/")[:-1])


def joined_with_slashes(root):
    print(os.path.join(root, "b/c.txt").split("/")[-1])
    for name in os.listdir(root):
        print(f"{root}/{name}".split("/")[-1], (root + "/" + name).split("/")[-1])
    for line in open("list.txt"):
        print(os.path.join(root, line.strip()).split("/")[-1])
    for item in json.load(open("list.json")):
        print(os.path.join(root, item["file"]).split("/")[-1])


def names_only():
    print([name.split("/")[-1] for name in os.listdir("a") + glob.glob("*.png")])


def without_the_file(root):
    path = os.path.join(root, os.listdir(root)[0])
    return os.path.dirname(path).split("/")[-1]


def mixed(folder, url):
    return (os.path.abspath(folder) if folder else url).split("/")[-1]


def given_both(path):
    return path.split("/")[-1]


given_both(os.path.abspath("a"))
given_both("https://example.org/a")


def by_kind(path):
    if path.startswith("https://"):
        return path.split("/")[-1]
    if not is_url(path):
        return os.path.basename(path)
    return path if is_url(path) is None else path.replace("a", "b")


by_kind(os.path.join("a", "b"))


def with_both(path):
    path = os.path.abspath(path)
    if "\\" in path:
        return path.split("\\")[-1]
    return path.split("/")[-1]


def with_a_separator(path):
    path = os.path.abspath(path)
    return path.split(os.sep)[-1] if os.sep in path else path.split("/")[-1]


def relative(root: Path, either: "Path | str"):
    for path in root.rglob("*.py"):
        print(path.relative_to(root).as_posix().replace("/", "."))
        print(str(path.relative_to(root)).replace("\\", "/").replace("/", "."))
        print(str(path.relative_to(root)).replace("/", "_").replace("\\", "_"))
        print(str(path.relative_to(root)).replace(os.sep, "_"), str(path).replace("/", "\\"))
        name = str(path.relative_to(root)).replace("/", "_")
        name = name.replace("\\", "_")
        print(name, str(path.parent).replace("/", os.sep))
    return str(either).split("/")[-1]
