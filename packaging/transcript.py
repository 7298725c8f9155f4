#!/usr/bin/env python3
"""Types what sections of a guide show, in an empty home of another root directory, and compares what is printed.

  transcript.py ROOT PAGE.md SECTION...

As Tests/EndToEndTests types them: blocks of `console`, a command begins with `$ `, `…` stands for anything. Root only.
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
            if line.startswith("## "):
                in_section = line == f"## {section}"
            if line.startswith("```"):
                in_block = in_section and line in ("```console", "```console exec")
            elif in_block and line.startswith("$ "):
                found.append((line[2:], []))
            elif in_block and found:
                found[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in found]


def run(root, typed):
    """What each command prints in one shell that has nothing of this machine's environment."""
    home = os.path.join(root, "home/you")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    script = "exec 2>&1\ncd\n" + "".join(f"printf '\\036'\n{command}\n" for command, _ in typed)
    result = subprocess.run(
        ["chroot", root, "/usr/bin/env", "-i", "PATH=/toolchain/usr/bin:/usr/bin:/bin", "HOME=/home/you", "LC_ALL=C.UTF-8",
         "PYTHONDONTWRITEBYTECODE=1", "/bin/bash", "-c", script],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace", timeout=900, check=False)
    return [text.removesuffix("\n") for text in result.stdout.split(MARK)[1:]]


def shows(expected, printed):
    """Whether a command has printed what the page shows."""
    pattern = ".*".join(map(re.escape, expected.split("…")))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def main(root, page, sections):
    for section in sections:
        typed = steps(page, section)
        if not typed:
            sys.exit(f"{page} has no commands in '{section}'")
        printed = run(root, typed)
        for (command, expected), text in zip(typed, printed):
            if not shows(expected, text):
                sys.exit(f"{page}, {section}:\n$ {command}\n{text}\nwhere the page shows\n{expected}")
        if len(printed) != len(typed):
            sys.exit(f"{page}, {section}: the shell ended after {len(printed)} of {len(typed)} commands")
        print(f"{os.path.basename(page)}, {section}: {len(typed)} commands print what it shows")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
