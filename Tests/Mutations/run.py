#!/usr/bin/env python3
"""Makes a mistake in each of the rules of `rules.py` and expects its tests to fail: `run.py [WORD…]`.

Works on a copy in .build-mutations. Mistakes that no other's tests can notice are built together: one of each folder at a time.
With words, only the rules that have one of them in what they say.
"""

import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys

from rules import RULES

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(ROOT, ".build-mutations")


def copy():
    """The files as they are now; what was built in the copy before stays."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        source, target = os.path.join(ROOT, name), os.path.join(COPY, name)
        if os.path.exists(source) and not (os.path.exists(target) and filecmp.cmp(source, target, shallow=False)):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)


def write(file, text):
    with open(os.path.join(COPY, file), "w") as target:
        target.write(text)


def folder(rule):
    """The folder whose tests may notice a mistake in another of its files."""
    return rule[1].split("/")[:3]


def rounds(rules):
    """The rules in groups that have one of each folder."""
    groups = []
    for rule in rules:
        for group in groups:
            if all(folder(other) != folder(rule) for other in group):
                group.append(rule)
                break
        else:
            groups.append([rule])
    return groups


def texts(rule):
    """The file in the copy as it is, and with the mistake."""
    says, file, right, wrong, _ = rule
    with open(os.path.join(COPY, file)) as source:
        text = source.read()
    if text.count(right) != 1:
        sys.exit(f"{says}: {file} has {text.count(right)} times: {right}")
    return text, text.replace(right, wrong)


def swift(*words, seconds=None):
    """Runs a command of Swift in the copy; its exit code, None when it did not end in time, and what it printed."""
    process = subprocess.Popen(["swift", *words], cwd=COPY, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        text, _ = process.communicate(timeout=seconds)
        return process.returncode, text
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


def notice(rule):
    """Runs the tests of a rule and says whether they noticed the mistake."""
    says, file, _, _, tests = rule
    code, text = swift("test", "--skip-build", "--filter", tests, seconds=300)
    failed = sorted(set(re.findall(r'✘ Test (?!run )("[^"]+"|\w+)', text)))
    if code is None:
        failed.append("does not end")
    # Those of a mistake in the program: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
    failed += re.findall(r"unexpected signal code (?:4|5|6|7|8|11)\b", text)
    noticed = code != 0 and bool(failed)
    print(f"{'noticed' if noticed else 'NOT NOTICED'}: {says} ({file}): {', '.join(failed[:3]) or tests}", flush=True)
    return noticed


def main():
    rules = [rule for rule in RULES if not sys.argv[1:] or any(word in rule[0] for word in sys.argv[1:])]
    copy()
    changed = {rule: texts(rule) for rule in rules}
    unnoticed = 0
    for group in rounds(rules):
        for rule in group:
            write(rule[1], changed[rule][1])
        code, text = swift("build", "--product", "sondePackageTests")
        if code != 0:
            sys.exit("\n".join(line for line in text.splitlines() if "error:" in line)[:4000] or text[-4000:])
        unnoticed += sum(not notice(rule) for rule in group)
        for rule in group:
            write(rule[1], changed[rule][0])
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()
