"""What the sink `file` has written, and whether others have the same."""

import array
import collections
import datetime
import functools
import json
import math
import re

# Values of the agent itself, which each sink gets at its own moments and in no batch of the log.
OWN = ("sonde.agent.", "sonde.source.", "sonde.sink.")
UNITS = {"By": "bytes", "s": "seconds", "Hz": "hertz", "bit": "bits"}


@functools.lru_cache(maxsize=64)
def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


class Series:
    """All points of a series."""

    __slots__ = ("name", "kind", "unit", "labels", "times", "values", "last")

    def __init__(self, point, labels):
        self.name, self.kind, self.unit, self.labels = point["name"], point["kind"], point.get("unit", ""), labels
        self.times, self.values, self.last = array.array("q"), array.array("d"), None

    def add(self, point):
        self.last = point["value"]
        self.times.append(milliseconds(point["time"]))
        self.values.append(self.last)

    @property
    def is_compared(self):
        return self.kind != "info" and not self.name.startswith(OWN)

    @property
    def key(self):
        return self.name, tuple(sorted(self.labels.items()))

    @property
    def prometheus_key(self):
        """As PrometheusName.swift has it."""
        words = re.findall("[A-Za-z0-9:]+", self.name)
        number, _, divisor = self.unit.partition("/")
        unit = {"1": ["ratio"] if self.kind == "gauge" else []}.get(self.unit, [UNITS[number]] if number in UNITS else [])
        unit += ["per", "second"] if divisor == "s" else []
        if unit and words[-len(unit):] != unit:
            words += unit
        name = "_".join([*words, "total"] if self.kind == "counter" else words)
        return name, tuple(sorted((re.sub(r"\W", "_", label), value) for label, value in self.labels.items()))


class Points:
    """Every series in the file of the sink, and the numbers that have to come one after the other."""

    def __init__(self, path):
        self.path, self.place, self.series, self.counted = path, 0, {}, 0
        self.numbers, self.flaws = collections.Counter(), []
        # Points that have the millisecond of the one before in their series, by name: remote write cannot say both.
        self.instants, self.same = {}, collections.Counter()

    def read(self):
        with open(self.path, "rb") as file:
            file.seek(self.place)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self.place += len(line)
                self._take(json.loads(line))
        return self

    def _take(self, point):
        self.counted += 1
        labels = point.get("attributes", {}) | point.get("labels", {})
        key = point["name"], tuple(sorted(labels.items()))
        self.same[point["name"]] += self.instants.get(key) == point["time"]
        self.instants[key] = point["time"]
        if point["kind"] == "histogram":
            return
        if key not in self.series:
            self.series[key] = Series(point, labels)
        self.series[key].add(point)
        if point["name"] in ("fault.number", "unsteady.number"):
            part, number = labels["part"], point["value"]
            if number != self.numbers[part] + 1:
                self.flaws.append(f"{part} has {number} after {self.numbers[part]}")
            self.numbers[part] = number

    def sum(self, name, **wanted):
        """Of the last values of the series of a metric whose labels hold what is wanted; `_` stands for a dot."""
        wanted = {key.replace("_", "."): value for key, value in wanted.items()}
        return sum(series.last for series in self.series.values()
                   if series.name == name and wanted.items() <= series.labels.items())

    @property
    def names(self):
        """The series that every server has to have, by the names of their metrics."""
        found = collections.defaultdict(list)
        for series in self.series.values():
            if series.is_compared:
                found[series.name].append(series)
        return found


class Comparison:
    """Samples of the file and of a server, series by series."""

    def __init__(self):
        self.samples, self.missing, self.more, self.other, self.examples = 0, 0, 0, 0, []

    def add(self, series, stored):
        """`stored`: the values of a server by milliseconds. Two of the file may have one time: the clock was set back."""
        known = collections.defaultdict(list)
        for at, value in zip(series.times, series.values):
            known[at].append(value)
        self.samples += len(known)
        missing, more = known.keys() - stored.keys(), stored.keys() - known.keys()
        # VictoriaMetrics keeps fifteen digits.
        other = [at for at in known.keys() & stored.keys()
                 if not any(math.isclose(value, stored[at], rel_tol=1e-12) for value in known[at])]
        self.missing, self.more, self.other = self.missing + len(missing), self.more + len(more), self.other + len(other)
        if (missing or more or other) and len(self.examples) < 5:
            self.examples.append(f"{series.name} {series.labels}: {len(known)} in the file, {len(stored)} there, missing "
                                 f"{sorted(missing)[:3]}, more {sorted(more)[:3]}, other {sorted(other)[:3]}")

    def __str__(self):
        return f"{self.samples} samples, {self.missing} missing, {self.more} more, {self.other} of another value"
