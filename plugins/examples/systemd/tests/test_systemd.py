"""Runs the program as the agent does: python3 -m unittest discover tests"""
import json
import os
import pathlib
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent / "systemd.py"


def run(*arguments, fake=""):
    return subprocess.run(
        [PROGRAM, "--systemctl", HERE / "systemctl", *arguments], capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, "FAKE": fake})


def points(result):
    found = {}
    for line in result.stdout.splitlines():
        point = json.loads(line)
        found[point["name"], *point["attributes"].values()] = point
    return found


class SystemdTests(unittest.TestCase):
    def test_counts_the_services_by_state(self):
        found = points(run())
        counts = {key[1]: point["value"] for key, point in found.items() if key[0] == "systemd.service.current"}
        self.assertEqual({state: count for state, count in counts.items() if count},
                         {"active": 1, "activating": 1, "failed": 1})

    def test_reports_each_service_and_nothing_that_is_unknown(self):
        found = points(run())
        self.assertEqual({key: point["value"] for key, point in found.items() if key[0] != "systemd.service.current"}, {
            ("systemd.unit.failed", "cron.service"): 0,
            ("systemd.unit.restarts", "cron.service"): 0,
            ("systemd.unit.memory.usage", "cron.service"): 2994176,
            ("systemd.unit.cpu.time", "cron.service"): 1.418937,
            ("systemd.unit.failed", "flapping.service"): 0,
            ("systemd.unit.restarts", "flapping.service"): 4711,
            ("systemd.unit.failed", "broken.service"): 1,
            ("systemd.unit.restarts", "broken.service"): 5,
        })
        restarts = found["systemd.unit.restarts", "flapping.service"]
        self.assertEqual((restarts["kind"], restarts["unit"]), ("counter", "{restart}"))
        self.assertRegex(restarts["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_reports_only_what_matches_and_no_more_than_asked(self):
        names = {key[1] for key in points(run("--match", "(cron|broken).service")) if key[0] == "systemd.unit.failed"}
        self.assertEqual(names, {"cron.service", "broken.service"})
        result = run("--most", "1")
        self.assertEqual({key[1] for key in points(result) if key[0] == "systemd.unit.failed"}, {"broken.service"})
        self.assertIn("3 services match", result.stderr)

    def test_takes_no_number_from_what_is_none(self):
        result = run(fake="garbage")
        self.assertEqual(result.returncode, 0)
        found = {key for key in points(result) if key[0] != "systemd.service.current"}
        self.assertEqual(found, {("systemd.unit.failed", "x.service")})

    def test_fails_with_the_reason_when_systemd_does_not_answer(self):
        for arguments, fake, reason in [
            ([], "fails", "ended with 1: Failed to connect to bus"),
            (["--timeout", "0.2"], "hangs", "timed out"),
            (["--systemctl", "/nowhere"], "", "cannot run /nowhere"),
            (["--match", "("], "", "missing )"),
        ]:
            result = run(*arguments, fake=fake)
            self.assertEqual((result.returncode, result.stdout), (1, ""), reason)
            self.assertIn(reason, result.stderr)


if __name__ == "__main__":
    unittest.main()
