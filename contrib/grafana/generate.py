#!/usr/bin/python3
"""Writes the dashboards from src/: generate.py, or generate.py --check to see whether they are what src/ says.

In a query <host> stands for the selection of hosts and <rate> for the span of a rate. Python 3.11 or later, nothing else.
"""

import json
import os
import sys
import tomllib

FOLDER = os.path.dirname(os.path.abspath(__file__))
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
PLACEHOLDERS = {"<host>": 'job=~"$job",instance=~"$instance"', "<rate>": "$__rate_interval"}
WIDTH = 24
HEIGHTS = {"stat": 4, "timeseries": 8, "table": 8}
COLOURS = {"ok": "green", "warn": "orange", "bad": "red"}


def expand(query):
    """A query as Grafana gets it."""
    for placeholder, text in PLACEHOLDERS.items():
        query = query.replace(placeholder, text)
    return " ".join(query.split())


def variable(name, label, query, *, one=False):
    """A variable with the values of a label; every value at once unless `one`."""
    more = {} if one else {"includeAll": True, "allValue": ".*", "multi": True,
                           "current": {"selected": True, "text": ["All"], "value": ["$__all"]}}
    return {"name": name, "label": label, "type": "query", "datasource": SOURCE, "definition": query,
            "query": {"query": query, "refId": name}, "refresh": 2, "sort": 1, "hide": 0, **more}


def variables(wanted):
    """The variables of a dashboard: the data source and the job always, then what it asks for."""
    known = "sonde_agent_uptime_seconds"
    of_host = 'system_network_io_bytes_total{job=~"$job",instance=~"$instance"}'
    of_job = f'label_values({known}{{job=~"$job"}}, instance)'
    every = {
        "hosts": variable("instance", "Host", of_job),
        "host": variable("instance", "Host", of_job, one=True),
        "interface": variable("interface", "Interface", f"label_values({of_host}, network_interface_name)"),
    }
    source = {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "hide": 0}
    return [source, variable("job", "Job", f"label_values({known}, job)"), *(every[name] for name in wanted)]


def thresholds(steps):
    """Grafana's form of {warn: 0.7, bad: 0.9}."""
    rows = [{"color": COLOURS["ok"], "value": None}]
    return {"mode": "absolute", "steps": rows + [{"color": COLOURS[name], "value": at} for name, at in steps.items()]}


def targets(panel):
    """The queries of a panel."""
    found = []
    for index, query in enumerate(panel["queries"]):
        target = {"refId": chr(ord("A") + index), "datasource": SOURCE, "editorMode": "code",
                  "expr": expand(query["query"]), "legendFormat": query.get("legend", "__auto")}
        now = panel["type"] != "timeseries"
        target |= {"instant": now, "range": not now}
        if panel["type"] == "table":
            target["format"] = "table"
        found.append(target)
    return found


def description(panel):
    """What the panel says of itself, with the level that a source has to have for it."""
    levels = {query.get("level") for query in panel["queries"]} | {panel.get("level")}
    needed = next((level for level in ("all", "extended") if level in levels), None)
    more = [f"{'All of it needs' if 'level' in panel else 'A part needs'} level: {needed} of the source."] if needed else []
    return " ".join([*filter(None, [panel.get("what")]), *more])


def below_zero(panel):
    """What is sent is drawn below the line."""
    return [{"matcher": {"id": "byRegexp", "options": pattern},
             "properties": [{"id": "custom.transform", "value": "negative-Y"}]} for pattern in panel.get("below", [])]


def of_columns(panel):
    """The names and units of a table's columns."""
    columns = panel.get("columns", {})
    return [{"matcher": {"id": "byName", "options": name}, "properties": [{"id": "unit", "value": unit}]}
            for name, unit in columns.items()]


def shape(panel):
    """What differs between the kinds of panel."""
    if panel["type"] == "timeseries":
        custom = {"drawStyle": "line", "fillOpacity": 10, "showPoints": "never", "spanNulls": False,
                  "thresholdsStyle": {"mode": "line" if "thresholds" in panel else "off"}}
        options = {"legend": {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"]},
                   "tooltip": {"mode": "multi", "sort": "desc"}}
        return custom, options, []
    if panel["type"] == "table":
        names = {f"Value #{chr(ord('A') + index)}": query["column"] for index, query in enumerate(panel["queries"])}
        organize = {"excludeByName": {"Time": True, "job": True}, "renameByName": names}
        return {}, {"showHeader": True}, [{"id": "merge", "options": {}}, {"id": "organize", "options": organize}]
    options = {"reduceOptions": {"calcs": ["lastNotNull"], "values": False}, "colorMode": "value", "graphMode": "none",
               "textMode": panel.get("text", "auto")}
    return {}, options, []


def panel_of(panel, number, place):
    """A panel as Grafana imports it."""
    custom, options, transformations = shape(panel)
    defaults = {"unit": panel.get("unit", "short"), "thresholds": thresholds(panel.get("thresholds", {})),
                "color": {"mode": "thresholds" if panel["type"] == "stat" else "palette-classic"}}
    if "minimum" in panel:
        defaults["min"] = panel["minimum"]
    if "maximum" in panel:
        defaults["max"] = panel["maximum"]
    if custom:
        defaults["custom"] = custom
    return {"id": number, "type": panel["type"], "title": panel["title"], "description": description(panel),
            "gridPos": place, "datasource": SOURCE, "targets": targets(panel), "options": options,
            "transformations": transformations,
            "fieldConfig": {"defaults": defaults, "overrides": below_zero(panel) + of_columns(panel)}}


def panels_of(rows):
    """The panels row by row, from left to right, a new line where one does not fit."""
    found, top = [], 0
    for row in rows:
        found.append({"id": len(found) + 1, "type": "row", "title": row["title"], "collapsed": False, "panels": [],
                      "gridPos": {"h": 1, "w": WIDTH, "x": 0, "y": top}})
        top, left, tallest = top + 1, 0, 0
        for panel in row["panel"]:
            width, height = panel.get("width", 12), HEIGHTS[panel["type"]]
            if left + width > WIDTH:
                top, left, tallest = top + tallest, 0, 0
            found.append(panel_of(panel, len(found) + 1, {"h": height, "w": width, "x": left, "y": top}))
            left, tallest = left + width, max(tallest, height)
        top += tallest
    return found


def dashboard_of(source):
    """A dashboard as Grafana imports it."""
    links = [{"type": "dashboards", "title": "Sonde", "tags": ["sonde"], "asDropdown": True, "includeVars": True,
              "keepTime": True, "targetBlank": False, "icon": "external link", "tooltip": "", "url": ""}]
    return {"uid": source["uid"], "title": source["title"], "description": source["what"], "tags": ["sonde"],
            "schemaVersion": 39, "version": 1, "editable": True, "graphTooltip": 1, "refresh": "30s",
            "time": {"from": "now-3h", "to": "now"}, "timezone": "", "links": links, "annotations": {"list": []},
            "templating": {"list": variables(source["variables"])}, "panels": panels_of(source["row"])}


def sources():
    """What src/ says, by the name of the dashboard's file."""
    folder = os.path.join(FOLDER, "src")
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            found[name.replace(".toml", ".json")] = tomllib.load(file)
    return found


def texts():
    """The dashboards' files by name, as they have to be."""
    return {name: json.dumps(dashboard_of(source), indent=1) + "\n" for name, source in sources().items()}


def stale():
    """The names of files that are not as src/ says."""
    wrong, wanted = [], texts()
    for name, text in wanted.items():
        path = os.path.join(FOLDER, name)
        if not os.path.exists(path) or open(path).read() != text:
            wrong.append(name)
    return wrong + [name for name in sorted(os.listdir(FOLDER)) if name.endswith(".json") and name not in wanted]


def main():
    if sys.argv[1:] == ["--check"]:
        wrong = stale()
        if wrong:
            sys.exit(f"not as src/ says: {', '.join(wrong)}; run contrib/grafana/generate.py")
        return
    for name, text in texts().items():
        with open(os.path.join(FOLDER, name), "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
