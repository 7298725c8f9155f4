"""Whether the metrics that dashboards and rules ask for exist: a query that is 0 without data would hide a slip."""

import glob
import os
import re

import dashboards
import generate
import lab
import rules

PAGES = ["docs/guide/agent-metrics.md", "plugins/sources/*/README.md"]
# What Prometheus adds to a name for its unit and kind.
SUFFIX = re.compile(r"(_bytes|_seconds|_ratio|_bytes_per_second)?(_total|_info|_bucket|_count|_sum)?")
METRIC = re.compile(r"(?<![\w:$])(?:sonde|system)_\w+(?=[{\[) ]|$)")


def catalogued():
    """The names of all metrics, and of all attributes, as Prometheus spells them, without suffixes."""
    texts = [open(path).read() for pattern in PAGES for path in glob.glob(os.path.join(lab.ROOT, pattern))]
    metrics = {name for text in texts for name in re.findall(r"^\| `((?:sonde|system)\.[\w.]+)`", text, re.M)}
    words = {name for text in texts for name in re.findall(r"`(\w+(?:\.\w+)+)`", text)}
    return tuple({name.replace(".", "_") for name in found} for found in (metrics, words - metrics))


def is_known(name, metrics):
    """Whether it is a metric's name with the suffixes of Prometheus."""
    return any(name.startswith(known) and SUFFIX.fullmatch(name[len(known):]) for known in metrics)


def check_names():
    """Names what no catalog has."""
    metrics, attributes = catalogued()
    queries = [(file, generate.expand(query["query"])) for file, _, query in dashboards.panels()]
    with open(rules.RULES) as file:
        queries += [("sonde.rules.yaml", line) for line in file.read().splitlines()
                    if not re.match(r"\s*(#|summary|description|runbook|- record|name)", line)]
    asked = {(file, name) for file, query in queries for name in METRIC.findall(query) if name not in attributes}
    if len(asked) < 100:
        return [f"only {len(asked)} metrics were found in the queries"]
    return [f"{file}: no metric {name}" for file, name in sorted(asked) if not is_known(name, metrics)]


CHECKS = {"names": check_names}
