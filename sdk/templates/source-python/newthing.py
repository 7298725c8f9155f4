#!/usr/bin/python3 -I
"""Reads one number from a file; put in its place what you measure.

Sonde's plugin exec runs this once per interval and takes a line of JSON for each point.
"""
import json
import sys
from datetime import datetime, timezone


def point(name, value, unit="", kind="gauge", **attributes):
    """One reading, as docs/spec/json-line.schema.json has it."""
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    line = {"time": now, "name": name, "kind": kind, "value": value}
    if unit:
        line["unit"] = unit
    if attributes:
        line["attributes"] = {key: str(text) for key, text in attributes.items()}
    return line


def read(path):
    """The points of one interval."""
    with open(path, encoding="ascii") as file:
        seconds = float(file.read(64).split()[0])
    yield point("newthing.uptime", seconds, unit="s")


def main(arguments):
    path = arguments[1] if len(arguments) > 1 else "/proc/uptime"
    try:
        for line in read(path):
            print(json.dumps(line))
    except (OSError, ValueError, IndexError) as error:
        # Standard error goes into the agent's log; another exit code than 0 is a failed collection.
        print(f"cannot read {path}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
