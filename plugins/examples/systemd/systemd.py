#!/usr/bin/python3
"""A source: the services of systemd that fail, and those that restart again and again.

Sonde's plugin exec runs this once per interval and takes a line of JSON for each point.
"""
import argparse
import json
import re
import subprocess
import sys
from datetime import datetime, timezone

PROPERTIES = ["Id", "ActiveState", "NRestarts", "MemoryCurrent", "CPUUsageNSec"]
STATES = ["active", "reloading", "inactive", "failed", "activating", "deactivating", "maintenance", "refreshing"]
# What systemd prints for a figure that it does not have: [not set], or the largest number of 64 bits.
UNKNOWN = 2**64 - 1


class Unreadable(Exception):
    """systemd did not answer as it should."""


def show(systemctl, timeout):
    """What systemctl prints about the services that are loaded."""
    command = [systemctl, "show", "--type=service", "--property=" + ",".join(PROPERTIES), "*"]
    try:
        result = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreadable(f"cannot run {systemctl}: {error}") from error
    if result.returncode != 0:
        reason = result.stderr.decode(errors="replace").strip()
        raise Unreadable(f"{systemctl} ended with {result.returncode}: {reason}")
    return result.stdout.decode(errors="replace")


def services(text):
    """The properties of each service: blocks of KEY=VALUE with empty lines between."""
    for block in text.split("\n\n"):
        properties = dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        if properties.get("Id", "").endswith(".service"):
            yield properties


def figure(properties, key):
    """A whole number; None when systemd does not know it."""
    text = properties.get(key, "")
    return int(text) if text.isascii() and text.isdigit() and int(text) != UNKNOWN else None


def points(text, match, most):
    """Name, kind, unit, value and attributes of each point."""
    known = list(services(text))
    for state in STATES:
        count = sum(service.get("ActiveState") == state for service in known)
        yield "systemd.service.current", "gauge", "{service}", count, {"systemd.state": state}
    matched = sorted((service for service in known if match.fullmatch(service["Id"])), key=lambda service: service["Id"])
    if len(matched) > most:
        print(f"{len(matched)} services match: only the first {most} are reported", file=sys.stderr)
    for service in matched[:most]:
        unit = {"systemd.unit": service["Id"]}
        yield "systemd.unit.failed", "gauge", "", int(service.get("ActiveState") == "failed"), unit
        for name, kind, measure, value in [
            ("systemd.unit.restarts", "counter", "{restart}", figure(service, "NRestarts")),
            ("systemd.unit.memory.usage", "gauge", "By", figure(service, "MemoryCurrent")),
            ("systemd.unit.cpu.time", "counter", "s", figure(service, "CPUUsageNSec")),
        ]:
            # An unknown value is not printed: never 0 in its place.
            if value is not None:
                yield name, kind, measure, value / 1e9 if measure == "s" else value, unit


def main(arguments):
    parser = argparse.ArgumentParser(description="Prints what systemd knows of its services, a line of JSON each.")
    parser.add_argument("--match", default=".*", help="a regular expression: the services that are reported one by one")
    parser.add_argument("--most", type=int, default=200, help="how many of these at the most")
    parser.add_argument("--systemctl", default="/usr/bin/systemctl", help="the program that is asked")
    parser.add_argument("--timeout", type=float, default=5, help="how many seconds it may take")
    options = parser.parse_args(arguments)
    try:
        match = re.compile(options.match)
        text = show(options.systemctl, options.timeout)
    except (Unreadable, re.error) as error:
        print(error, file=sys.stderr)
        return 1
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    for name, kind, unit, value, attributes in points(text, match, options.most):
        line = {"time": now, "name": name, "kind": kind, "value": value, "attributes": attributes}
        if unit:
            line["unit"] = unit
        print(json.dumps(line))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
