"""The rules, by promtool and, as VictoriaMetrics reads them, by vmalert-tool."""

import os
import re
import shutil
import subprocess
import tempfile

import lab
from report import Skipped

FOLDER = os.path.join(lab.ROOT, "contrib/prometheus")
RULES = os.path.join(FOLDER, "sonde.rules.yaml")
TESTS = os.path.join(FOLDER, "tests")


def promtool():
    """The machine's own, or the one beside the servers."""
    for path in (shutil.which("promtool"), os.path.join(lab.FOLDER, "promtool")):
        if path and os.access(path, os.X_OK):
            return path
    raise Skipped("promtool is not there: make servers")


def output(command, **options):
    """What a command says where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
    return [f"{os.path.basename(command[0])}: {done.stdout}{done.stderr}"] if done.returncode else []


def tests():
    return sorted(os.listdir(TESTS))


def by_vmalert():
    """The same tests over VictoriaMetrics, whose tool has another word for a query."""
    tool = os.path.join(lab.FOLDER, "vmalert-tool")
    if not os.access(tool, os.X_OK):
        raise Skipped("vmalert-tool is not there: make servers")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(RULES, folder)
        inner = os.path.join(folder, "tests")
        os.mkdir(inner)
        for name in tests():
            with open(os.path.join(TESTS, name)) as file, open(os.path.join(inner, name), "w") as copy:
                copy.write(file.read().replace("promql_expr_test", "metricsql_expr_test"))
        files = [f"--files={name}" for name in tests()]
        return output([tool, "unittest", "-disableAlertgroupLabel", *files], cwd=inner, env={"HOME": folder, "TMPDIR": folder})


def alerts():
    """The names of the alerts."""
    with open(RULES) as file:
        return re.findall(r"alert: (\w+)", file.read())


def untested():
    """Alerts that fire in no test, or that nothing says of when they do not."""
    texts = [open(os.path.join(TESTS, name)).read() for name in tests()]
    # One query that asks for all alerts at once holds those back that shall not fire.
    missing = [f"{name} fires in no test" for name in alerts() if not any(f'alertname="{name}"' in text for text in texts)]
    silent = [f"{name} does not ask for the alerts that fire, for one" for name, text in zip(tests(), texts)
              if 'ALERTS{alertstate="firing"})' not in text or "exp_samples: []" not in text]
    return missing + silent


def without_a_hint():
    """Alerts whose annotations are incomplete."""
    with open(RULES) as file:
        blocks = file.read().split("- alert: ")[1:]
    return [f"{block.split()[0]} has no {word}" for block in blocks
            for word in ("severity", "summary", "description", "runbook") if f"{word}: " not in block]


def check_rules():
    """promtool takes the rules, and the tests pass in both engines."""
    tool = promtool()
    return (output([tool, "check", "rules", RULES]) + output([tool, "test", "rules", *tests()], cwd=TESTS)
            + untested() + without_a_hint() + by_vmalert())


CHECKS = {"rules": check_rules}
