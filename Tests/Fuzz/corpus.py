#!/usr/bin/env python3
"""Packs a folder of fuzzing inputs into lines of hexadecimal, and unpacks it again.

  corpus.py unpack FILE FOLDER
  corpus.py pack FOLDER FILE LIMIT     keeps LIMIT of them: those that the file has, and others of up to 1 KiB
"""
import pathlib
import sys


def unpack(file, folder):
    for number, line in enumerate(pathlib.Path(file).read_text().split()):
        (pathlib.Path(folder) / f"seed-{number:03}").write_bytes(bytes.fromhex(line))


def pack(folder, file, limit):
    inputs = {path.read_bytes() for path in pathlib.Path(folder).iterdir()} - {b""}
    known = inputs & {bytes.fromhex(line) for line in pathlib.Path(file).read_text().split()}
    new = sorted((data for data in inputs - known if len(data) <= 1024), key=lambda data: (len(data), data))
    count = min(len(new), max(0, int(limit) - len(known)))
    kept = sorted(known | {new[place * len(new) // count] for place in range(count)})
    pathlib.Path(file).write_text("".join(data.hex() + "\n" for data in kept))
    print(f"{file}: {len(kept)} of {len(inputs)} inputs")


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack}[sys.argv[1]](*sys.argv[2:])
