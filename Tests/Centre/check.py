#!/usr/bin/python3
"""Checks what contrib/ holds against real servers.

  check.py stale        the dashboards are what their sources say
  check.py names        dashboards and rules ask for metrics that exist
  check.py rules        promtool accepts the rules, and their tests pass
  check.py dashboards   every query of every panel finds something in Prometheus and VictoriaMetrics (root)
  check.py vmagent      vmagent takes what the agent sends as its configuration says (root)

Prints what is wrong and ends with 1, or says what is missing here and ends with 77.
"""

import sys
import time

import lab  # noqa: F401, it says where report is
from report import Skipped


def main():
    checks = {}
    for module in ("dashboards", "rules", "names", "relay"):
        checks |= __import__(module).CHECKS
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    try:
        began = time.monotonic()
        problems = checks[sys.argv[1]]()
    except Skipped as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        sys.exit(77)
    for problem in problems:
        print(problem)
    print(f"{sys.argv[1]}: {len(problems)} problems, {time.monotonic() - began:.1f} s")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
