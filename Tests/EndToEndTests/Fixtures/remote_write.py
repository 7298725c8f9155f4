"""Compares bodies of remote write, read by code that is generated from the official definitions, with lines of JSON of the
same points.

usage: remote_write.py VERSION LINES BODY...
"""
import collections
import datetime
import json
import math
import re
import struct
import sys

import cramjam
from google.protobuf.unknown_fields import UnknownFieldSet
from prometheus_v1 import remote_pb2 as one
from prometheus_v1 import types_pb2 as one_types
from prometheus_v2 import types_pb2 as two

STALE = struct.pack("<Q", 0x7FF0000000000002)
# Of a sample since 2.0-rc.4; the definitions are older and have the start in the series alone.
START_TIMESTAMP = 3
UNITS = {"By": "bytes", "s": "seconds", "Hz": "hertz", "By/s": "bytes_per_second"}
FIELDS = ("name", "type", "unit", "labels", "time", "value", "start")
seen = collections.Counter()


def expect(condition, what):
    if not condition:
        sys.exit(f"expected: {what}")


def pairs(labels, path):
    """Labels as a table; sorted by the bytes of their names, each once, none empty."""
    names = [name.encode() for name, _ in labels]
    expect(names == sorted(set(names)), f"{path}: sorted labels, each once: {names}")
    expect(all(name and value for name, value in labels), f"{path}: no empty label: {labels}")
    return dict(labels)


def rows(family, kind, unit, labels, samples, start):
    """Samples in the form in which lines have them, without ends."""
    key = json.dumps(labels)
    for sample in samples:
        expect(sample.timestamp > last_times.get(key, 0), f"times of {key} that rise")
        last_times[key] = sample.timestamp
    labels = dict(labels)
    name = labels.pop("__name__")
    for sample in samples:
        if math.isnan(sample.value):
            expect(struct.pack("<d", sample.value) == STALE, "no NaN but the marker of an end")
            seen["ends"] += 1
            continue
        seen[kind or "untyped"] += 1
        yield json.dumps([name, kind, unit, labels, sample.timestamp, repr(sample.value), start], sort_keys=True)


def expect_the_same(request, body, path):
    """The official code writes as many bytes; it has fields in another order and leaves out values that are 0."""
    size = len(request.SerializeToString())
    for series in request.timeseries:
        short = series.ByteSize()
        long = short + 9 * sum(struct.pack("<d", sample.value) == bytes(8) for sample in series.samples)
        size += long + length_size(long) - short - length_size(short)
    expect(size == len(body), f"{path}: {size} bytes from the official code, not {len(body)}")


def length_size(size):
    """The bytes of a length."""
    return max(1, (size.bit_length() + 6) // 7)


def sent_one(body, path):
    request = one.WriteRequest.FromString(body)
    expect_the_same(request, body, path)
    expect(not unknown(request), f"{path}: no field that the definitions have not")
    for metadata in request.metadata:
        word = one_types.MetricMetadata.MetricType.Name(metadata.type).lower()
        expect(metadata.help, f"a help of {metadata.metric_family_name}")
        described.add((metadata.metric_family_name, word, metadata.unit))
    series = [pairs([(label.name, label.value) for label in series.labels], path) for series in request.timeseries]
    expect(len({json.dumps(labels) for labels in series}) == len(series), f"{path}: each series once")
    for labels, entry in zip(series, request.timeseries):
        yield from rows(None, None, None, labels, entry.samples, None)


def sent_two(body, path):
    request = two.Request.FromString(body)
    expect_the_same(request, body, path)
    symbols = request.symbols
    expect(symbols[0] == "" and len(set(symbols)) == len(symbols), f"{path}: each symbol once, the empty one first")
    used = {0}
    for series in request.timeseries:
        references = series.labels_refs
        used.update(references, (series.metadata.help_ref, series.metadata.unit_ref))
        texts = [symbols[reference] for reference in references]
        labels = pairs(list(zip(texts[::2], texts[1::2])), path)
        kind = two.Metadata.MetricType.Name(series.metadata.type).removeprefix("METRIC_TYPE_").lower()
        unit = symbols[series.metadata.unit_ref]
        start = series.created_timestamp or None
        for sample in series.samples:
            ended = struct.pack("<d", sample.value) == STALE
            fields = [(field.field_number, field.data) for field in UnknownFieldSet(sample)]
            expect(fields == ([(START_TIMESTAMP, start)] if start and not ended else []), f"one start: {fields}, {start}")
            seen["start"] += len(fields)
        if series.metadata.help_ref:
            seen["help"] += 1
        yield from rows(None, kind, unit, labels, series.samples, start)
    expect(used == set(range(len(symbols))), f"{path}: every symbol is used")
    others = unknown(request) - {("Sample", START_TIMESTAMP)}
    expect(not others, f"{path}: no other field that the definitions have not: {others}")


def unknown(message):
    """The fields of a message, and of those in it, that its definition has not."""
    found = {(message.DESCRIPTOR.name, field.field_number) for field in UnknownFieldSet(message)}
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else [value]:
                found |= unknown(inner)
    return found


def milliseconds(text):
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (time - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


def words(name):
    return re.sub("[^A-Za-z0-9]+", "_", name)


def family(point):
    """The name, type and unit of a family, by the rules of OpenTelemetry for Prometheus."""
    kind, name, unit = point["kind"], words(point["name"]), point.get("unit", "")
    word = "" if unit.startswith("{") else UNITS.get(unit, unit)
    if unit == "1":
        word = "ratio" if kind == "gauge" else ""
    if word and not name.endswith("_" + word):
        name += "_" + word
    suffix = {"counter": "_total", "info": "_info"}.get(kind, "")
    if suffix and not (kind == "info" and name.endswith(suffix)):
        name += suffix
    return name, kind if kind in ("counter", "histogram") else "gauge", word


def written(path):
    for line in open(path, encoding="utf-8"):
        point = json.loads(line)
        if "schema" in point:
            continue
        name, kind, unit = family(point)
        labels = {words(label): text for label, text in {
            "host": point["host"], **point.get("labels", {}), **point.get("attributes", {})}.items() if text}
        labels.update(job="sonde", instance=point["host"])
        time, start = milliseconds(point["time"]), point.get("start")
        start = milliseconds(start) if start else None
        values = {(name, None): point.get("value")}
        if kind == "histogram":
            values = {(name + "_count", None): point["count"], (name + "_bucket", "+Inf"): point["count"]}
            total = 0
            for bound, count in zip(point["bounds"], point["counts"]):
                total += count
                values[name + "_bucket", f"{bound:g}"] = total
            if "sum" in point:
                values[name + "_sum", None] = point["sum"]
        families.add((name, kind, unit))
        for (series, bound), value in values.items():
            bounds = {"le": bound} if bound else {}
            row = [series, kind, unit, {**labels, **bounds}, time, repr(float(value)), start]
            if is_one:
                # Type and unit are in the metadata, and it has no start.
                row[1] = row[2] = row[6] = None
            yield json.dumps(row, sort_keys=True)


is_one = sys.argv[1] == "1"
described, families = set(), set()
last_times = {}
expected = collections.Counter(written(sys.argv[2]))
found = collections.Counter()
for path in sys.argv[3:]:
    body = bytes(cramjam.snappy.decompress_raw(open(path, "rb").read()))
    found.update((sent_one if is_one else sent_two)(body, path))
for name, table in (("missing", expected - found), ("too much", found - expected)):
    for row in sorted(table)[:5]:
        print(name, dict(zip(FIELDS, json.loads(row))))
expect(expected == found, f"the same samples: {sum(expected.values())} in lines, {sum(found.values())} sent")
if is_one:
    # Which families are due in these seconds depends on the clock: the unit tests of the encoder hold the schedule.
    expect(described <= families, f"metadata of what is sent: {described - families}")
else:
    expect({"counter", "gauge", "histogram", "start"} <= set(seen), f"samples of each kind: {seen}")
print("the same", sum(found.values()), "samples of", len({json.dumps(json.loads(row)[:4:3]) for row in found}), "series:",
      *(f"{name} {count};" for name, count in seen.items()), f"families described {len(described)}")
