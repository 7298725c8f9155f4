#!/usr/bin/python3
"""A throw-away centre with hosts in namespaces, some of which fail: each failure has its alert, and nothing else has one.

usage: run.py    SONDE=PATH: another agent than dist/bin/sonde, SONDE_PLUGINS=FOLDER: its plugins; HOSTS=20; needs root

Ends with 1 where an alert is missing, late or without a reason, with 77 where something is not installed.
"""

import os
import re
import sys
import tempfile
import time

import alerts
import dashboards
import generate
import hosts
import lab
import rules
from report import Skipped

HOSTS = int(os.environ.get("HOSTS", "20"))
# Every alert has fired by then; how long is watched for more of them.
LIMIT, WATCHED = 120, 180
# A gap of so many seconds is one: agents report every ten.
MISSED = 25
UNITS = {"Bps": "B/s", "bytes": "B", "pps": "/s", "cps": "/s", "reqps": "/s", "wps": "/s", "s": "s"}


def start_servers(folder):
    """Both centres, and what evaluates the rules over each."""
    prometheus = lab.Prometheus(os.path.join(folder, "prometheus"), rules=[rules.RULES], listen="0.0.0.0")
    victoria = lab.VictoriaMetrics(os.path.join(folder, "victoria-metrics"), listen="0.0.0.0")
    vmalert = alerts.Vmalert(os.path.join(folder, "vmalert"), victoria)
    return prometheus, victoria, vmalert


def seen(server):
    """How many hosts a server has."""
    rows = server.now("count(count by (instance) (sonde_agent_uptime_seconds))")
    return int(rows[0]["value"][1]) if rows else 0


def befall(fleet):
    """What happens to the hosts; the alerts that have to follow."""
    killed, disk, network, flooded, stopped, restarted = fleet[:6]
    wanted = set()
    for host, happens, alert in (
            (killed, "is_killed", "SondeHostSilent"), (disk, "loses_its_disk", "SondeAgentTrouble"),
            (network, "loses_its_network", "SondeHostSilent"), (stopped, "is_stopped", None),
            (restarted, "is_stopped", None), (flooded, "is_flooded", "SondeListenOverflow")):
        print(f"  {host.name} {happens.replace('_', ' ')}", flush=True)
        getattr(host, happens)()
        if alert:
            wanted.add((alert, host.name))
    return wanted


def longest_gap(server, host):
    """The longest time in seconds without a sample of a host, of what a server has of the last minutes, until now.

    Of a counter: gauges of the agent itself say how it is now, and not how it was while it was away.
    """
    server.get("/internal/force_flush")
    rows = server.now(f'sonde_tcp_segment_error_total{{instance="{host.name}"}}[8m]')
    times = sorted(at for row in rows for at, _ in row["values"]) + [time.time()]
    return max((later - earlier for earlier, later in zip(times, times[1:])), default=float("inf"))


def repair(fleet, watch, servers):
    """The disk and the network come back: their alerts end, and what was collected meanwhile arrives."""
    disk, network = fleet[1:3]
    for host in (disk, network):
        print(f"  {host.name} is repaired", flush=True)
        host.is_repaired()
    began = time.monotonic()
    found = watch.ends({("SondeAgentTrouble", disk.name), ("SondeHostSilent", network.name)}, 180)
    if not found:
        print(f"  {time.monotonic() - began:5.0f} s  their alerts have ended", flush=True)
    for server in servers:
        lab.eventually(lambda: longest_gap(server, network) < MISSED, 120, 2)
        gap = longest_gap(server, network)
        print(f"  {time.monotonic() - began:5.0f} s  {server.program}: the longest gap of {network.name} is {gap:.0f} s")
        if gap >= MISSED:
            found.append(f"{server.program}: {network.name} has a gap of {gap:.0f} s")
    return found


def number(value, unit):
    """A value as a person reads it."""
    value = float(value)
    if unit == "percentunit":
        return f"{value * 100:.2f} %"
    for size, word in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size and unit != "s":
            return f"{value / size:.1f} {word}{UNITS.get(unit, '')}"
    return f"{value:.3g} {UNITS.get(unit, '')}".rstrip()


def legend(panel, query, labels):
    """The name of a series as the panel has it."""
    if panel["type"] == "table":
        return f"{labels.get('instance', '')} {query['column']}"
    text = query.get("legend", "")
    for name, value in labels.items():
        text = text.replace("{{" + name + "}}", value)
    return re.sub("{{.*?}}", "", text).strip()


def unit(panel, query):
    """The unit of a query's values."""
    return panel.get("columns", {}).get(query.get("column"), panel.get("unit"))


def report(server, instance):
    """Every panel with its last values."""
    shown = empty = 0
    name = None
    for dashboard, panel, query in dashboards.panels():
        if dashboard != name:
            name = dashboard
            print(f"\n== {generate.sources()[name]['title']}")
        where = ".*" if name == "fleet.json" else instance
        text = generate.expand(query["query"])
        for variable, value in {"$job": "sonde", "$instance": where, "$interface": ".*", "$__rate_interval": "1m",
                                "$__range": "5m"}.items():
            text = text.replace(variable, value)
        rows = server.now(text)
        if not rows:
            empty += 1
            continue
        shown += 1
        values = [f"{legend(panel, query, row['metric'])} {number(row['value'][1], unit(panel, query))}".strip()
                  for row in rows[:6]]
        more = f" … {len(rows) - 6} more" if len(rows) > 6 else ""
        print(f"  {panel['title'][:44]:44}  {'; '.join(values)}{more}")
    print(f"\n{shown} queries have values, {empty} have none: nobody captures or resolves here.")


def arrive(folder, servers, fleet):
    """Starts the hosts; where they send to, once all have come, or nil."""
    prometheus, victoria, _ = servers
    urls = {name: (f"http://{hosts.CENTRE}:{server.port}/api/v1/write", version)
            for name, server, version in (("prometheus", prometheus, "auto"), ("victoria", victoria, 1))}
    for index in range(1, HOSTS + 1):
        fleet.append(hosts.Host(folder, index))
    for host in fleet:
        host.start(urls)
    print(f"{HOSTS} agents start", flush=True)
    if lab.eventually(lambda: seen(prometheus) == HOSTS and seen(victoria) == HOSTS, 120, 1):
        return urls
    print(f"{seen(prometheus)} and {seen(victoria)} hosts have come: {fleet[0].log()[-1000:]}")
    return None


def play(folder, servers, fleet):
    """The whole of it; what was wrong."""
    prometheus, victoria, vmalert = servers
    hosts.bridge()
    for server in servers:
        server.start()
    urls = arrive(folder, servers, fleet)
    if not urls:
        return ["not every host has come"]
    watch = alerts.Watch({"prometheus": prometheus, "vmalert": vmalert})
    watch.begin()
    print("all of them report; a minute without an alert", flush=True)
    watch.watch(60)
    if any(watch.fired.values()):
        return ["alerts before anything happened"]
    print("now", flush=True)
    watch.begin()
    wanted = befall(fleet)
    fleet[5].start(urls)
    watch.watch(WATCHED)
    problems = watch.judge(wanted, LIMIT) + repair(fleet, watch, (prometheus, victoria))
    report(prometheus, fleet[-1].name)
    ended = [host for host in fleet if host not in (fleet[0], fleet[4]) and host.agent.poll() is not None]
    return problems + [f"{host.name}: its agent has ended: {host.log()[-500:]}" for host in ended]


def main():
    try:
        lab.programs()
        lab.enter()
        with tempfile.TemporaryDirectory(prefix="sonde-centre-") as folder:
            servers, fleet = start_servers(folder), []
            try:
                problems = play(folder, servers, fleet)
            finally:
                for host in fleet:
                    host.stop()
                for server in servers:
                    if server.process:
                        server.kill()
    except Skipped as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        sys.exit(77)
    for problem in problems:
        print(problem)
    print("every alert fired in time, and no other" if not problems else f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
