"""Compares bodies of OTLP, read by code that is generated from the official definitions, with lines of JSON of the same points.

usage: otlp.py LINES BODY...
"""
import collections
import datetime
import gzip
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

NO_RECORDED_VALUE = 1
CUMULATIVE = 2


def expect(condition, what):
    if not condition:
        sys.exit(f"expected: {what}")


def text(nanoseconds):
    """A time as lines have it."""
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{rest // 1_000_000:03}Z"


def texts(attributes):
    """Attributes as a table; each name once, each value a text."""
    table = {}
    for attribute in attributes:
        expect(attribute.value.WhichOneof("value") == "string_value", "texts")
        expect(attribute.key and attribute.key not in table, f"{attribute.key} once")
        table[attribute.key] = attribute.value.string_value
    return table


def kind(metric):
    data = metric.WhichOneof("data")
    if data == "gauge":
        return "gauge", metric.gauge.data_points
    if data == "sum":
        expect(metric.sum.aggregation_temporality == CUMULATIVE, "a cumulative sum")
        return "counter" if metric.sum.is_monotonic else "updown", metric.sum.data_points
    expect(data == "histogram", data)
    expect(metric.histogram.aggregation_temporality == CUMULATIVE, "a cumulative histogram")
    return "histogram", metric.histogram.data_points


def value(point, kind):
    if kind == "histogram":
        total = point.sum if point.HasField("sum") else None
        expect(sum(point.bucket_counts) == point.count, "the count of all buckets")
        return [point.count, total, list(point.explicit_bounds), list(point.bucket_counts)]
    return repr(point.as_int if point.WhichOneof("value") == "as_int" else point.as_double)


def canonical(**members):
    return json.dumps(members, sort_keys=True, ensure_ascii=False)


def sent(path):
    body = open(path, "rb").read()
    if body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    if body[:1] == b"{":
        request = json_format.Parse(body, ExportMetricsServiceRequest())
        official = json_format.MessageToDict(request, use_integers_for_enums=True)
        expect(json.loads(body) == official, f"{path}: the same JSON from the official code")
    else:
        request = ExportMetricsServiceRequest.FromString(body)
        expect(request.SerializeToString(deterministic=True) == body, f"{path}: the same bytes from the official code")
    expect(len(request.resource_metrics) == 1, "one resource")
    for resource_metrics in request.resource_metrics:
        resource = texts(resource_metrics.resource.attributes)
        expect(resource["service.name"] == "sonde", "service.name")
        expect(len(resource["service.instance.id"]) == 36, "the agent's id")
        expect(resource["service.version"], "service.version")
        expect(resource["site"] == "fra1", "labels of the agent")
        for scope_metrics in resource_metrics.scope_metrics:
            scope = scope_metrics.scope
            expect(scope.name.startswith("sonde/") and scope.version == resource["service.version"], "a scope")
            metrics = collections.Counter((m.name, m.unit, m.WhichOneof("data")) for m in scope_metrics.metrics)
            expect(max(metrics.values()) == 1, "one metric for each name, unit and kind of a scope")
            for metric in scope_metrics.metrics:
                expect(metric.description, f"a description of {metric.name}")
                word, points = kind(metric)
                for point in points:
                    if point.flags & NO_RECORDED_VALUE:
                        continue
                    start = point.start_time_unix_nano
                    expect(start <= point.time_unix_nano, "a start before the point")
                    expect(not start or word in ("counter", "histogram"), "starts of what is counted")
                    yield canonical(
                        time=text(point.time_unix_nano), name=metric.name, kind=word, unit=metric.unit,
                        value=value(point, word), start=text(start) if start else None,
                        attributes=texts(point.attributes), host=resource["host.name"])


def written(path):
    for line in open(path, encoding="utf-8"):
        point = json.loads(line)
        if "schema" in point:
            continue
        labels = {name: text for name, text in point.get("labels", {}).items() if name != "site"}
        number = point.get("value")
        if point["kind"] == "histogram":
            number = [point["count"], point.get("sum"), point["bounds"], point["counts"]]
        else:
            number = repr(float(number) if isinstance(number, int) and number >= 1 << 63 else number)
        name = point["name"]
        if point["kind"] == "info" and name.split(".")[-1] != "info":
            name += ".info"
        yield canonical(
            time=point["time"], name=name, kind="gauge" if point["kind"] == "info" else point["kind"],
            unit=point.get("unit", ""), value=number, start=point.get("start"),
            attributes={**labels, **point.get("attributes", {})}, host=point["host"])


expected = collections.Counter(written(sys.argv[1]))
found = collections.Counter(point for path in sys.argv[2:] for point in sent(path))
for name, table in (("missing", expected - found), ("too much", found - expected)):
    for point in sorted(table)[:5]:
        print(name, point)
expect(expected == found, f"the same points: {len(expected)} in lines, {len(found)} sent")
kinds = {json.loads(point)["kind"] for point in found}
print("the same", len(found), "points:", *sorted(kinds))
expect(kinds >= {"counter", "updown", "gauge"}, "points of each kind")
