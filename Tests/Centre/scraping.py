#!/usr/bin/python3
"""Prometheus scrapes an agent each second while both are stopped, killed and started again: what it stored, and for how long nothing.

usage: scraping.py [SECONDS]    600 by default; SONDE=PATH: another agent than dist/bin/sonde, SONDE_PLUGINS=FOLDER: its plugins;
                                needs root

The same agent sends by remote write to VictoriaMetrics: both have to have the same values. Ends with 1 where a gap is longer than the
restart within it, where a sample was refused or differs, or where promtool refuses a page; with 77 where something is not installed.
"""

import bisect
import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import lab
from report import Skipped

# Seconds that a scrape may be late, beside the interval of one.
SLACK = 1.5
# For how many seconds a program that restarts is away.
AWAY = 5
# Prometheus hands its targets over only so many seconds after its start (discovery.Manager's updatert).
DISCOVERY = 5
REFUSED = ("prometheus_target_scrapes_sample_duplicate_timestamp_total", "prometheus_target_scrapes_sample_out_of_order_total",
           "prometheus_target_scrapes_sample_out_of_bounds_total", "prometheus_target_scrapes_exceeded_sample_limit_total")
# Each way to the centre has its own of these.
WAYS = {"job", "instance", "host", "__name__"}


class Run:
    """The servers, the host and its agent, and when each was away."""

    def __init__(self, folder):
        port = lab.free_port()
        self.page = f"http://127.0.0.1:{port}/metrics"
        self.prometheus = lab.Prometheus(os.path.join(folder, "prometheus"), targets=[f"127.0.0.1:{port}"])
        self.victoria = lab.VictoriaMetrics(os.path.join(folder, "victoria"))
        self.host = lab.Host(os.path.join(folder, "host"))
        self.sinks = (f"  - {{ id: scrape, plugin: scrape, listen: '127.0.0.1:{port}' }}\n"
                      "  - { id: write, plugin: http, format: prometheus_remote_write, version: 1, batch: { wait: 1s }, "
                      f"url: 'http://127.0.0.1:{self.victoria.port}/api/v1/write' }}\n")
        self.away, self.refused, self.problems = [], 0, []

    def start_agent(self):
        self.agent = self.host.start_agent("scraped", self.host.sources(), self.sinks)
        if not lab.eventually(self.is_ready, 30, 0.05):
            raise RuntimeError("the agent does not answer")

    def is_ready(self):
        try:
            return urllib.request.urlopen(self.page.replace("/metrics", "/readyz"), timeout=5).status == 200
        except OSError:
            return False

    def restart_agent(self, how):
        began = time.time()
        self.agent.send_signal(how)
        self.agent.wait(60)
        time.sleep(AWAY)
        self.start_agent()
        self.note(f"agent, {how.name}", began)

    def restart_prometheus(self):
        self.note_refused()
        began = time.time()
        self.prometheus.stop()
        time.sleep(AWAY)
        self.prometheus.start()
        self.note("prometheus", began, DISCOVERY)

    def note(self, what, began, more=0):
        ended = time.time() + more
        self.away.append((began, ended, what))
        print(f"  {what}: away for {ended - began:.1f} s", flush=True)

    def note_refused(self):
        """What this run of Prometheus has refused, as it says itself."""
        text = self.prometheus.get("/metrics").decode()
        self.refused += sum(float(line.split()[1]) for line in text.splitlines() if line.startswith(REFUSED))

    def check_page(self):
        """promtool's opinion of the whole page."""
        promtool = os.path.join(lab.FOLDER, "promtool")
        with urllib.request.urlopen(self.page, timeout=5) as answer:
            done = subprocess.run([promtool, "check", "metrics"], input=answer.read(), capture_output=True)
        if done.returncode:
            self.problems.append(f"promtool: {done.stderr.decode()[:500]}")

    def play(self, seconds):
        """Restarts at sixths of the time, checks the page between them."""
        deeds = [lambda: self.restart_agent(signal.SIGTERM), lambda: self.restart_agent(signal.SIGKILL), self.restart_prometheus,
                 lambda: self.restart_agent(signal.SIGTERM), None]
        began = time.time()
        for number, deed in enumerate(deeds, 1):
            while time.time() < began + seconds / 6 * number:
                time.sleep(1)
            self.check_page()
            if deed:
                deed()
        time.sleep(max(0, began + seconds - time.time()))
        self.note_refused()
        return began

    def judge_scrapes(self, began):
        """Whether each scrape that was not answered, or not made, lies in a restart."""
        rows = self.prometheus.now('up{job="sonde-scrape"}[1h]')
        values = [(at, float(value)) for row in rows for at, value in row["values"] if at >= began]
        failed = [at for at, value in values if not value and not any(a <= at <= b + SLACK for a, b, _ in self.away)]
        times = [at for at, value in values if value]
        gaps = [(a, b) for a, b in zip(times, times[1:]) if b - a > 1 + SLACK]
        print(f"scrapes: {len(times)} answered, {len(values) - len(times)} failed, {len(failed)} of them outside a restart")
        for first, last in gaps:
            inside = [(b - a, what) for a, b, what in self.away if a - 1 - SLACK <= first and last <= b + 1 + SLACK]
            print(f"  a gap of {last - first:.1f} s: " + (f"{inside[0][1]}, away for {inside[0][0]:.1f} s" if inside else "for no reason"))
            if not inside or last - first > inside[0][0] + 1 + SLACK:
                self.problems.append(f"a gap of {last - first:.1f} s")
        if len(gaps) > len(self.away) or failed or not times:
            self.problems.append(f"{len(gaps)} gaps for {len(self.away)} restarts, {len(failed)} failed scrapes, {len(times)} answered")
        if self.refused:
            self.problems.append(f"Prometheus has refused {self.refused:.0f} samples")

    def judge_values(self, began):
        """Whether each scraped value is one that was sent within the seconds before."""
        self.victoria.get("/internal/force_flush")
        sent = collections.defaultdict(list)
        for line in self.victoria.get("/api/v1/export", **{"match[]": '{__name__!=""}'}).splitlines():
            row = json.loads(line)
            sent[key(row["metric"])] += [(at / 1000, value) for at, value in zip(row["timestamps"], row["values"]) if value is not None]
        compared, series, other = 0, 0, []
        for row in self.prometheus.now('{job="sonde-scrape",__name__=~"(sonde|system)_.*",__name__!~"sonde_(agent|source|sink)_.*"}[1h]'):
            name = key(row["metric"])
            points = sorted(sent[name])
            series += 1
            for at, value in row["values"]:
                compared += 1
                if not matches(points, at, float(value)) and not any(a - 3 <= at <= a + 3 for a, _, _ in self.away):
                    other.append((name, at, value))
        print(f"values: {compared} of {series} series compared with what was sent, {len(other)} differ")
        for name, at, value in other[:10]:
            print(f"  {name} {at - began:.1f} s: {value}")
        if other or compared < 1000:
            self.problems.append(f"{len(other)} of {compared} values of {series} series differ")


def key(labels):
    """A series' name and the labels that both ways have."""
    return labels["__name__"] + str(sorted((name, value) for name, value in labels.items() if name not in WAYS))


def matches(points, at, value):
    """Whether the value was sent in the four seconds before, or was the last before those."""
    first = max(bisect.bisect_left(points, (at - 4, float("-inf"))) - 1, 0)
    last = bisect.bisect_right(points, (at + 1, float("inf")))
    return any(abs(each - value) <= 1e-12 * abs(value) for _, each in points[first:last])


def run(folder, seconds):
    """The whole of it; what was wrong."""
    play = Run(folder)
    try:
        play.prometheus.start()
        play.victoria.start()
        play.host.start()
        play.start_agent()
        began = play.play(seconds)
        play.judge_scrapes(began)
        play.restart_agent(signal.SIGTERM)
        play.judge_values(began)
        return play.problems
    finally:
        play.host.stop()
        for server in (play.prometheus, play.victoria):
            if server.process:
                server.kill()


def main():
    try:
        lab.programs()
        lab.enter()
        with tempfile.TemporaryDirectory(prefix="sonde-scraping-") as folder:
            problems = run(folder, int(sys.argv[1]) if len(sys.argv) > 1 else 600)
    except Skipped as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        sys.exit(77)
    for problem in problems:
        print(problem)
    print("no gap beyond the restarts, no other value" if not problems else f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
