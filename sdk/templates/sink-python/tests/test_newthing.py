"""Gives batches to the program as the agent does: python3 tests/test_newthing.py"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "newthing.py"
SONDE = os.environ.get("SONDE", "/usr/bin/sonde")
POINT = '{"time":"2026-01-01T00:00:10.000Z","name":"acme.level","kind":"gauge","value":%d}\n'


def batch(*values):
    return json.dumps({"batch": "agent/epoch/1-2", "attempt": 0, "lines": len(values)}) + "\n" + "".join(
        POINT % value for value in values)


def run(path, text):
    return subprocess.run([PROGRAM, path], input=text, capture_output=True, text=True, timeout=10, check=False)


class NewThingTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "points"

    def test_appends_each_batch_and_acknowledges_it(self):
        result = run(self.file, batch(1, 2) + batch(3))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "ok\nok\n", ""))
        self.assertEqual(self.file.read_text(encoding="utf-8"), "".join(POINT % value for value in (1, 2, 3)))

    def test_says_what_failed_and_goes_on(self):
        result = run("/nowhere/points", batch(1) + batch(2))
        self.assertEqual(result.returncode, 0)
        answers = [json.loads(line)["error"] for line in result.stdout.splitlines()]
        self.assertEqual([answer["class"] for answer in answers], ["configuration"] * 2)
        self.assertIn("cannot open /nowhere/points", answers[0]["message"])

    def test_acknowledges_nothing_that_was_cut(self):
        result = run(self.file, batch(1, 2)[:-5])
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertFalse(self.file.exists())

    @unittest.skipUnless(os.access(SONDE, os.X_OK), "sonde is not installed")
    def test_keeps_the_rules_of_programs(self):
        result = subprocess.run([SONDE, "plugins", "test", PROGRAM], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
