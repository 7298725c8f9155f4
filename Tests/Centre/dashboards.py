"""The dashboards against real servers with real data of real agents, at the levels that they need."""

import math
import os
import re
import sys
import tempfile
import time

import lab
import rules

sys.path.insert(0, os.path.join(lab.ROOT, "contrib/grafana"))
import generate  # noqa: E402

# How long the agents measure before the queries run: longer than every timeout of their sources.
SECONDS = 20
# Names of a client may be on no panel.
FORBIDDEN = re.compile(r"client_(address|port)|peer_(address|port)|_top_")
# What the host's resolver, which has a dead server and a name that it is silent about, is ill of.
ILL = {"SondeDNSFailures", "SondeDNSUnanswered"}
# What the kernel's events say is of every namespace: other programs on this machine may be ill of it.
WHOLE_MACHINE = {"SondeHandshakesFail"}
# The agents, by the level of their sources.
AGENTS = {"core": "lean", "extended": "chatty", "all": "chatty"}


def panels():
    """Every query of every panel: dashboard, panel, and the source of the query."""
    for name, source in generate.sources().items():
        for row in source["row"]:
            for panel in row["panel"]:
                for query in panel["queries"]:
                    yield name, panel, query


class Agents:
    """One agent that sends what is sent by default, and one that sends everything; both push and are scraped."""

    def __init__(self):
        self.ports = {name: lab.free_port() for name in set(AGENTS.values())}

    @property
    def targets(self):
        return [f"127.0.0.1:{port}" for port in self.ports.values()]

    def ways(self, level):
        """Job and instance of an agent, for both ways in."""
        return [("sonde", AGENTS[level]), ("sonde-scrape", f"127.0.0.1:{self.ports[AGENTS[level]]}")]

    def start(self, host, prometheus, victoria):
        def sinks(name):
            return (f"  - {{ id: prometheus, plugin: http, format: prometheus_remote_write, batch: {{ wait: 500ms }}, "
                    f"url: \"http://127.0.0.1:{prometheus.port}/api/v1/write\" }}\n"
                    f"  - {{ id: victoria, plugin: http, format: prometheus_remote_write, version: 1, batch: {{ wait: 500ms }}, "
                    f"url: \"http://127.0.0.1:{victoria.port}/api/v1/write\" }}\n"
                    f"  - {{ id: scrape, plugin: scrape, listen: \"127.0.0.1:{self.ports[name]}\" }}\n")
        return [host.start_agent(AGENTS[level], host.sources(level), sinks(AGENTS[level])) for level in ("core", "all")]


def with_values(query, job, instance):
    """A query as Grafana sends it."""
    values = {"$job": job, "$instance": re.escape(instance).replace("\\", "\\\\"), "$interface": ".*",
              "$__rate_interval": "8s", "$__range": "20s"}
    for name, value in values.items():
        query = query.replace(name, value)
    return query


def answer(server, panel, query, end):
    """What the panel gets: series with their values."""
    if panel["type"] == "timeseries":
        return [(row["metric"], row["values"]) for row in server.span(query, end - 8, end, 1)]
    return [(row["metric"], [row["value"]]) for row in server.now(query)]


def problem(found, query):
    """What is wrong with an answer; nil when nothing is."""
    known = [labels for labels, values in found if any(math.isfinite(float(value)) for _, value in values)]
    if not known:
        return "is empty"
    wanted = set(re.findall(r"{{(\w+)}}", query.get("legend", "")))
    without = [label for label in wanted if all(label not in labels for labels in known)]
    if without:
        return f"has no label {', '.join(without)} for its legend"
    named = {name for labels in known for name in labels if FORBIDDEN.search(name)}
    return f"names clients: {', '.join(named)}" if named else None


def check_queries(servers, agents, end):
    """Runs every query on every server, for both ways in, at the level that it says it needs."""
    problems, count = [], 0
    for name, panel, query in panels():
        text = generate.expand(query["query"])
        if FORBIDDEN.search(text):
            problems.append(f"{name}: {panel['title']}: names clients: {text}")
        level = query.get("level", panel.get("level", "core"))
        for server, (job, instance) in ((server, way) for server in servers for way in agents.ways(level)):
            count += 1
            try:
                wrong = problem(answer(server, panel, with_values(text, job, instance), end), query)
            except RuntimeError as error:
                wrong = str(error)
            if wrong:
                problems.append(f"{name}: {panel['title']}: {server.program}, {job}, level {level}: {wrong}: {text}")
    print(f"{count} queries")
    return problems


def found_by(server, query):
    """The agents whose data a rule finds, and by which way they came."""
    try:
        return {(row["metric"].get("job"), row["metric"].get("instance")) for row in server.now(query)}
    except RuntimeError as error:
        return {str(error)}


def check_rules(servers, agents):
    """Runs what every rule asks: what is recorded and what is wrong on this host has to be found of all agents.

    With every threshold taken away the alerts of network and DNS have to find something too: their parts fit each other.
    """
    groups = servers[0].ask("/api/v1/rules")["groups"]
    every = [(group["name"], rule) for group in groups for rule in group["rules"]]
    recorded = {rule["name"]: f"({rule['query']})" for _, rule in every if rule["type"] == "recording"}
    everyone = set(agents.ways("core") + agents.ways("all"))
    problems = [] if recorded else ["no rules were loaded"]
    for server in servers:
        for group, rule in every:
            name, query = rule["name"], rule["query"]
            for other, text in recorded.items():
                query = query.replace(other, text)
            cases = [] if name in WHOLE_MACHINE else [(query, everyone if name in recorded or name in ILL else set())]
            if group in ("sonde.network", "sonde.dns"):
                cases.append((re.sub(r"> [\d.]+", ">= 0", query), everyone))
            problems += [f"{name}: {server.program}: found {found_by(server, text) or 'nothing'}: {text}"
                         for text, wanted in cases if found_by(server, text) != wanted]
    return problems


def check_dashboards():
    """Starts a host with traffic, its agents and both servers, and asks what every panel and every rule would ask."""
    lab.programs()
    lab.enter()
    agents = Agents()
    with tempfile.TemporaryDirectory() as folder:
        host = lab.Host(os.path.join(folder, "host"))
        servers = [lab.Prometheus(os.path.join(folder, "prometheus"), targets=agents.targets, rules=[rules.RULES]),
                   lab.VictoriaMetrics(os.path.join(folder, "victoria-metrics"), targets=agents.targets)]
        try:
            for server in servers:
                server.start()
            host.start()
            running = agents.start(host, *servers)
            time.sleep(SECONDS)
            if any(agent.poll() is not None for agent in running):
                logs = [open(host.path(f"{name}.log")).read()[-1500:] for name in agents.ports]
                return [f"an agent has ended: {' '.join(logs)}"]
            servers[1].get("/internal/force_flush")
            return check_queries(servers, agents, time.time() - 1) + check_rules(servers, agents)
        finally:
            host.stop()
            for server in servers:
                if server.process:
                    server.kill()


def check_stale():
    """Names the dashboards that are not what their sources say."""
    return [f"{name} is not what contrib/grafana/src says: run contrib/grafana/generate.py" for name in generate.stale()]


CHECKS = {"stale": check_stale, "dashboards": check_dashboards}
