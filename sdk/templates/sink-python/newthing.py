#!/usr/bin/python3 -I
"""Appends points to a file; put in its place how you deliver.

Sonde's plugin exec keeps this running and writes batches to its standard input: a line of JSON that says how many lines
follow, then these, one for each point. One line answers a batch: ok, or an object that says what failed.
"""
import json
import os
import sys


class Undelivered(Exception):
    """Why a batch was not delivered; the class says what the agent does: docs/guide/delivery.md has them all."""

    def __init__(self, failure, message):
        super().__init__(message)
        self.failure = failure


def deliver(path, lines):
    """Delivers a batch whole. After a failure the agent offers the same batch again."""
    try:
        with open(path, "ab") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise Undelivered("configuration", f"cannot open {path}: {error.strerror}") from error
    except OSError as error:
        raise Undelivered("resource", f"cannot write {path}: {error.strerror}") from error


def answer(path, lines):
    """The line that answers a batch."""
    try:
        deliver(path, lines)
    except Undelivered as error:
        return json.dumps({"error": {"class": error.failure, "message": str(error)}})
    return "ok"


def main(arguments):
    if len(arguments) != 2:
        print(f"usage: {arguments[0]} FILE", file=sys.stderr)
        return 2
    for header in sys.stdin.buffer:
        lines = [sys.stdin.buffer.readline() for _ in range(json.loads(header)["lines"])]
        # The agent is gone in the middle of a batch: another program will be given all of it.
        if not all(line.endswith(b"\n") for line in lines):
            break
        print(answer(arguments[1], lines), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
