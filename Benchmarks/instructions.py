#!/usr/bin/env python3
"""Compares instructions with `baseline.json`: `instructions.py [--update] [WORD…]`; exits with 1 where one is 5 % above.

Each subject whose input is fixed runs once under callgrind. What is counted is the whole program in user space, per unit of
work. Counts differ between kinds of processors, because the C library picks its routines by them: the baseline says which kind
it is of, and on another one nothing is compared.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from subjects import Inputs, subjects

BASELINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "baseline.json")
TOLERANCE = 0.05
# Swift's dictionaries would else be ordered anew in each run.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}


def machine():
    """The kind of processor: what the choices of the C library depend on."""
    with open("/proc/cpuinfo") as file:
        flags = re.search(r"^(?:flags|Features)\s*:(.*)$", file.read(), re.MULTILINE)
    known = set(flags.group(1).split()) if flags else set()
    return " ".join([platform.machine(), *sorted(known & {"avx2", "avx512f", "avx512vl", "erms", "fsrm", "sve"})])


def instructions(command, directory):
    """What a command and its children execute in user space."""
    out = os.path.join(directory, "callgrind.out")
    done = subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={out}.%p", *command],
                          env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=True)
    return sum(int(count) for count in re.findall(r"Collected : (\d+)", done.stderr))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="writes the baseline anew")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("instructions.py: valgrind is missing")
    with open(BASELINE) as file:
        baseline = json.load(file)
    here = machine()
    if not options.update and baseline["machine"] != here:
        print(f"no instructions are compared: the baseline is of {baseline['machine']}, this is {here}")
        return
    counts, worse = {}, []
    with tempfile.TemporaryDirectory() as directory:
        for subject in subjects(Inputs(directory), 1):
            if not subject.is_fixed or (options.words and not any(word in subject.name for word in options.words)):
                continue
            count = round(instructions(subject.ours, directory) / subject.units)
            counts[subject.name] = count
            before = baseline["instructions"].get(subject.name)
            change = count / before - 1 if before else 0
            print(f"{subject.name:40} {count:8} per {subject.unit:10} "
                  + (f"{before:8} {100 * change:+6.1f} %" if before else "     new"), flush=True)
            if change > TOLERANCE or not before:
                worse.append(subject.name)
    if options.update:
        kept = baseline["instructions"] if options.words else {}
        with open(BASELINE, "w") as file:
            json.dump({"machine": here, "instructions": {**kept, **counts}}, file, indent=2)
            file.write("\n")
    elif worse:
        sys.exit(f"more than {100 * TOLERANCE:.0f} % above the baseline, or not in it: {', '.join(worse)}")


if __name__ == "__main__":
    main()
