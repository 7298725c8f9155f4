"""Judges the line coverage that the last run of the tests with counters left behind.

Shows every target of Package.swift. Fails where a target is below its floor, and where a line of those targets that no
test reaches is not in the table "Lines without a test" of Tests/README.md.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from itertools import groupby

FLOORS = {"SondeDomain": 95, "SondeEngine": 95, "SondeWire": 98}
EXPLAINED = "Tests/README.md"


def tool(name):
    """A tool of the same toolchain as the compiler: others cannot read its profiles."""
    info = subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True)
    library = json.loads(info.stdout)["paths"]["runtimeResourcePath"]
    return os.path.join(library, "../../bin", name)


def counts(folder):
    """How often each line of each file ran: {path: {line: count}}."""
    package = next(name for name in os.listdir(folder) if name.endswith("PackageTests.xctest"))
    command = [tool("llvm-cov"), "export", "--format=lcov", f"--instr-profile={folder}/codecov/default.profdata"]
    # Tests start the programs, which are not linked into them.
    command += [f"{folder}/{package}", f"--object={folder}/sonde", f"--object={folder}/sonded"]
    trace = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    files = {}
    for line in trace.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "SF":
            lines = files.setdefault(os.path.relpath(rest), {})
        elif kind == "DA":
            number, count = rest.split(",")[:2]
            lines[int(number)] = max(int(count), lines.get(int(number), 0))
    return files


def targets(files):
    """The files of each target: {target: {path: {line: count}}}."""
    found = {}
    for path, lines in sorted(files.items()):
        match = re.match(r"Sources/(\w+)/|(plugins/\w+/\w+)/Sources/", path)
        if match:
            found.setdefault(match[1] or match[2], {})[path] = lines
    return found


def missing(lines):
    """The lines that no test reached, in order."""
    return [number for number, count in sorted(lines.items()) if count == 0]


def table(found):
    """Shows how much of each target ran; says whether all floors hold."""
    holds = True
    for target, files in sorted(found.items()):
        lines = sum(len(file) for file in files.values())
        share = 100 * (1 - sum(len(missing(file)) for file in files.values()) / max(1, lines))
        floor = FLOORS.get(target, 0)
        holds &= share >= floor
        print(f"{target:24} {share:5.1f} % of {lines:5} lines" + (f", of at least {floor} %" if floor else ""))
    return holds


def ranges(numbers):
    """Neighbours together: 3, 4, 5, 9 is 3-5, 9."""
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        group = [number for _, number in group]
        yield f"{group[0]}-{group[-1]}" if len(group) > 1 else f"{group[0]}"


def listing(files):
    """Shows those of a target as ranges."""
    for path, lines in files.items():
        for stretch in ranges(missing(lines)):
            print(f"{path}:{stretch}")


def explained():
    """The table in the document: [(path, piece of a line)]."""
    with open(EXPLAINED) as document:
        section = document.read().partition("## Lines without a test")[2].partition("\n## ")[0]
    rows = []
    for row in re.findall(r"^\| `(Sources/[^`]+)` \| (.+?) \|", section, re.M):
        rows += [(row[0], piece) for piece in re.findall(r"`([^`]+)`", row[1])]
    return rows


def lines_of(path):
    with open(path) as file:
        return file.read().splitlines()


def unexplained(path, lines, pieces):
    """The lines without a test that no piece of a text explains; a brace alone belongs to the line before it."""
    text = lines_of(path)
    told = [(number, text[number - 1].strip()) for number in missing(lines)]
    return [
        f"{path}:{number}: without a test and not in {EXPLAINED}: {line}"
        for number, line in told
        if re.search(r"\w", line.replace("else", "")) and not any(piece in line for piece in pieces)
    ]


def stale(rows):
    """The explanations of lines that are gone."""
    return [
        f"{EXPLAINED}: no line of {path} has '{piece}' any more"
        for path, piece in rows
        if not os.path.exists(path) or not any(piece in line for line in lines_of(path))
    ]


def is_explained(found):
    """Shows what is wrong with the table of the document; says whether nothing is."""
    rows = explained()
    complaints = stale(rows)
    for target in FLOORS:
        for path, lines in found[target].items():
            complaints += unexplained(path, lines, [piece for file, piece in rows if file == path])
    print("\n".join(complaints), end="\n" if complaints else "")
    return not complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where the programs were built")
    parser.add_argument("--lines", metavar="TARGET", nargs="+", help="lists the lines of TARGET without a test")
    parser.add_argument("--show", action="store_true", help="only shows: not all tests ran")
    arguments = parser.parse_args()
    found = targets(counts(arguments.folder))
    if unknown := set(arguments.lines or []) - found.keys():
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(found)}")
    for target in arguments.lines or []:
        listing(found[target])
    if arguments.lines:
        return 0
    holds = table(found)
    return 0 if arguments.show or (is_explained(found) and holds) else 1


sys.exit(main())
