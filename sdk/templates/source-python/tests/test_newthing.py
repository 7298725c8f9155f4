"""Runs the program as the agent does: python3 tests/test_newthing.py"""
import json
import os
import pathlib
import subprocess
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "newthing.py"
SONDE = os.environ.get("SONDE", "/usr/bin/sonde")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=10, check=False)


class NewThingTests(unittest.TestCase):
    def test_prints_a_point_for_each_reading(self):
        result = run()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        points = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([(point["name"], point["kind"], point["unit"]) for point in points],
                         [("newthing.uptime", "gauge", "s")])
        self.assertGreater(points[0]["value"], 0)
        self.assertRegex(points[0]["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_fails_with_a_reason_when_there_is_no_number(self):
        for path in ["/nowhere", "/proc/version", "/dev/null"]:
            result = run(path)
            self.assertEqual((result.returncode, result.stdout), (1, ""), path)
            self.assertIn(f"cannot read {path}: ", result.stderr)

    @unittest.skipUnless(os.access(SONDE, os.X_OK), "sonde is not installed")
    def test_keeps_the_rules_of_programs(self):
        result = subprocess.run([SONDE, "plugins", "test", PROGRAM], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
