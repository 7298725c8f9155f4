#!/usr/bin/env python3
"""Real faults against a real agent: `run.py [--quick] [--build DIR] [CASE…]`.

Each case prints one line, PASS, FAIL or SKIP with its numbers; a FAIL makes the exit code 1. `--quick` takes a minute.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import centre_cases
import delivery_cases
import disk_cases
import fleet_cases
import life_cases
import limit_cases
import log_cases
import network_cases
from build import Build, ROOT
import reload_cases
from report import Skipped

QUICK = ["kill-loop", "state-unusable", "two-agents", "receiver-faults", "stop-in-outage"]


def run(name, case, build, base, quick):
    """Runs one case; whether it did not fail."""
    directory = os.path.join(base, name)
    os.makedirs(directory, mode=0o755)
    agents, began = [], time.monotonic()
    try:
        passed, text = case(build, directory, agents, quick)
        word = "PASS" if passed else "FAIL"
    except Skipped as reason:
        word, text = "SKIP", str(reason)
    except Exception:
        word, text = "FAIL", traceback.format_exc(limit=4)
    for agent in agents:
        if agent.process and agent.is_alive:
            agent.kill()
    print(f"{word} {name}: {text} [{time.monotonic() - began:.1f} s]", flush=True)
    if word == "FAIL":
        for agent in agents[:3]:
            print("".join(f"    {agent.name}: {line}\n" for line in agent.text().splitlines()[-8:]), flush=True)
    return word != "FAIL"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only what a minute can hold")
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/debug"), help="where sonded and the plugins are")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    cases = {**delivery_cases.CASES, **disk_cases.CASES, **life_cases.CASES,
             **limit_cases.CASES, **log_cases.CASES, **network_cases.CASES, **fleet_cases.CASES, **reload_cases.CASES,
             **centre_cases.CASES}
    names = options.cases or (QUICK if options.quick else list(cases))
    base = tempfile.mkdtemp(prefix="sonde-faults-")
    os.chmod(base, 0o755)
    try:
        build = Build(options.build, base)
        outcomes = [run(name, cases[name], build, base, options.quick) for name in names]
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
