#!/usr/bin/env python3
"""Types what sections of a guide show, in an empty home of another root directory, and compares what is printed.

  transcript.py ROOT PAGE.md SECTION...
  transcript.py --page PAGE.md [FILE...]

As Tests/EndToEndTests types them: blocks of `console`, a command begins with `$ ` and goes on with `> `, `…` stands for anything.
With --page all of a page is typed in this system, with FILEs in the home. Root only.
"""

import os
import re
import shutil
import subprocess
import sys

MARK = "\x1e"


def steps(page, section):
    """The commands of a section, each with the lines that it prints."""
    found, in_section, in_block = [], False, False
    with open(page, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("## ") or section is None:
                in_section = section is None or line == f"## {section}"
            if line.startswith("```"):
                in_block = in_section and line in ("```console", "```console exec")
            elif in_block and line.startswith("$ "):
                found.append((line[2:], []))
            elif in_block and found and line.startswith("> ") and not found[-1][1]:
                found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
            elif in_block and found:
                found[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in found]


def run(root, typed, files=(), limit=900):
    """What each command prints in one shell that has nothing of this machine's environment."""
    home = os.path.join(root, "home/you")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    for file in files:
        shutil.copy(file, home)
    script = "exec 2>&1\ncd\n" + "".join(f"printf '\\036'\n{command}\n" for command, _ in typed)
    result = subprocess.run(
        ["chroot", root, "/usr/bin/env", "-i", "PATH=/toolchain/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/home/you",
         "LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1", "DEBIAN_FRONTEND=noninteractive", "/usr/bin/timeout", str(limit), "/bin/bash", "-c", script],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace", check=False)
    return [text.removesuffix("\n") for text in result.stdout.split(MARK)[1:]]


def shows(expected, printed):
    """Whether a command has printed what the page shows."""
    pattern = ".*".join(map(re.escape, expected.split("…")))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def check(root, page, section, files=()):
    """Ends the program where the page shows something else than is printed."""
    place = page if section is None else f"{page}, {section}"
    typed = steps(page, section)
    if not typed:
        sys.exit(f"{place} has no commands")
    printed = run(root, typed, files, 90 if files else 900)
    before = ""
    for (command, expected), text in zip(typed, printed if len(printed) == len(typed) else printed[:-1]):
        if not shows(expected, text):
            print(before, file=sys.stderr)
            sys.exit(f"{place}:\n$ {command}\n{text}\nwhere the page shows\n{expected}")
        before = f"$ {command}\n{text}"
    if len(printed) != len(typed):
        print(f"$ {typed[len(printed) - 1][0]}\n{printed[-1]}", file=sys.stderr)
        sys.exit(f"{place}: the shell ended after {len(printed)} of {len(typed)} commands")
    print(f"{os.path.basename(place)}: {len(typed)} commands print what it shows", flush=True)


def main(arguments):
    if arguments[0] == "--page":
        check("/", arguments[1], None, arguments[2:])
        return
    for section in arguments[2:]:
        check(arguments[0], arguments[1], section)


if __name__ == "__main__":
    if len(sys.argv) < 3 or (sys.argv[1] != "--page" and len(sys.argv) < 4):
        sys.exit(__doc__)
    main(sys.argv[1:])
