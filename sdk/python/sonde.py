"""Sources for Sonde in Python: source `exec` with `format: sonde`. One file, no dependencies, Python 3.6 or later.

    import sonde

    source = sonde.Source()
    for _ in source.ticks():
        source.sample("acme.queue.length", 12, unit="{message}", attributes={"queue": "mail"})
        source.commit()

The protocol is docs/spec/exec.md. Run by hand, on a terminal, it prints what it would send. Standard output is the
agent's: write what is meant for people with `source.log`, or to standard error.
"""
import json
import os
import select
import sys
import time


class Source:
    """The connection to the agent: the options, and what is sent."""

    def __init__(self):
        self._rest = b""
        self._stopping = False
        self._input = None if sys.stdin.isatty() else sys.stdin.fileno()
        first = {} if self._input is None else self._read(None) or {}
        #: The `options` of the configuration: texts by name.
        self.options = first.get("options", {})
        #: The `interval` of the source in seconds.
        self.interval = first.get("interval") or 10.0
        #: What the last commit that was taken left as its position; None: there is none.
        self.checkpoint = first.get("checkpoint")

    def ticks(self):
        """Yields once per interval until the agent asks to stop."""
        due = time.monotonic()
        while not self._stopping:
            yield
            due = max(due + self.interval, time.monotonic())
            self.wait(due - time.monotonic())

    def wait(self, seconds):
        """Waits; False: the agent asks to stop."""
        end = time.monotonic() + seconds
        while not self._stopping and time.monotonic() < end:
            if self._input is None:
                time.sleep(max(0, end - time.monotonic()))
            else:
                self._note(self._read(end))
        return not self._stopping

    def sample(self, name, value, unit="", kind="gauge", attributes=None, time=None, start=None):
        """One reading. Times are seconds since 1970; a counter may say with `start` since when it counts."""
        line = {"name": name, "value": value, "kind": kind}
        if unit:
            line["unit"] = unit
        if attributes:
            line["attributes"] = {key: str(text) for key, text in attributes.items()}
        if time is not None:
            line["time"] = _instant(time)
        if start is not None:
            line["start"] = _instant(start)
        self._write(line)

    def commit(self, checkpoint=None):
        """Hands over the samples since the last commit, with a position (text) that survives a restart.

        Returns when the agent has taken both; False: it stops and may not have.
        """
        line = {"type": "commit"}
        if checkpoint is not None:
            line["checkpoint"] = checkpoint
        self._write(line)
        while self._input is not None:
            message = self._read(None)
            if message is None:
                return False
            if message.get("type") == "taken":
                return True
            self._note(message)
        return True

    def log(self, message, level="info"):
        """A line of the agent's log: debug, info, warning or error."""
        self._write({"type": "log", "level": level, "message": message})

    def loss(self, reason, count=None):
        """Something was lost, for the ledger: a short, stable reason and how much."""
        self._write({"type": "loss", "reason": reason, **({} if count is None else {"count": count})})

    def fail(self, message, failure="transient", option=None):
        """Ends the program with a failure: transient, configuration, resource, access_refused …"""
        self._write({"type": "error", "class": failure, "message": message, **({"option": option} if option else {})})
        sys.exit(1)

    def _note(self, message):
        if message is not None and message.get("type") == "stop":
            self._stopping = True

    def _write(self, line):
        sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
        sys.stdout.flush()

    _ended = False

    def _read(self, end):
        """The next message; None: the time is up, or the agent is gone."""
        while b"\n" not in self._rest:
            left = None if end is None else max(0, end - time.monotonic())
            if self._ended or not select.select([self._input], [], [], left)[0]:
                return None
            data = os.read(self._input, 65536)
            self._ended = not data
            if self._ended:
                self._stopping = True
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        return json.loads(line)


def _instant(seconds):
    whole = int(seconds // 1)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + ".%03dZ" % int((seconds - whole) * 1000)
