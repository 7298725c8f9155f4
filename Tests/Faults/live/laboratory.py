"""An agent that captures in one network namespace, and traffic that comes from another one."""

import json
import os
import re
import subprocess
import time

from agent import Agent, eventually
from namespace import ip, without_ipv6
from traffic import Traffic

# The near end of each pair and the far one.
PAIRS = {"va": "wa", "vc": "wc", "ve": "we", "vg": "wg"}
TOLD = ["sonde.capture.*", "sonde.frame.malformed.count", "sonde.flow.table.size", "sonde.flow.ended",
        "sonde.dns.wire.query.evicted", "sonde.dns.wire.query.unanswered", "sonde.dns.wire.message.malformed",
        "sonde.dns.wire.transaction.table.size", "sonde.dns.wire.stream.buffer.size", "sonde.flow.unassigned.count"]


class NoReceiver:
    url = ""


class WireAgent(Agent):
    """`sonde run` with three sources of packets and a file for what they tell."""

    def __init__(self, build, directory):
        super().__init__(build, directory, NoReceiver())
        self.output = os.path.join(directory, "out.jsonl")

    def configuration(self):
        common = "plugin: pcap, level: all, flow_table: 1MiB, flow_idle_timeout: 5s, flow_active_timeout: 60s"
        return (f"version: 1\nagent:\n  host: probe\n  interval: 1s\n  control_socket: {self.socket}\n"
                f"  state_dir: {self.state}\nsources:\n"
                f"  - {{ id: wire, interfaces: [va, vc], buffer_size: 1MiB, labels: {{ source: wire }}, {common} }}\n"
                f"  - {{ id: lone, interface: vg, filter: udp port 53, buffer_size: 1MiB, labels: {{ source: lone }}, "
                f"{common} }}\n"
                f"  - {{ id: all, interface: any, uplinks: [va, ve], buffer_size: 1MiB, labels: {{ source: all }}, "
                f"{common} }}\n"
                f"sinks:\n  - id: out\n    plugin: file\n    path: {self.output}\n"
                f"    metrics: {{ include: [{', '.join(TOLD)}] }}\n")


class Series:
    """The newest value of each series of a file that grows, by source, metric and attributes."""

    def __init__(self, path):
        self.path, self.place, self.values, self.highest = path, 0, {}, {}

    def read(self):
        try:
            with open(self.path, "rb") as file:
                file.seek(self.place)
                data = file.read()
        except OSError:
            return self
        end = data.rfind(b"\n") + 1
        self.place += end
        for line in data[:end].splitlines():
            point = json.loads(line)
            attributes = point.get("attributes", {})
            interface = attributes.pop("network.interface.name", None)
            key = (point.get("labels", {}).get("source"), point["name"], interface, *sorted(attributes.values()))
            self.values[key] = point.get("value")
            if isinstance(point.get("value"), (int, float)):
                self.highest[key] = max(self.highest.get(key, 0), point["value"])
        return self

    def value(self, source, name, interface=None):
        return self.read().values.get((source, name, interface))

    def sum(self, name, source=None):
        self.read()
        return sum(value for key, value in self.values.items() if key[1] == name and source in (None, key[0]))

    def most(self, name):
        return max((value for key, value in self.read().highest.items() if key[1] == name), default=0)


class Laboratory:
    """What faults are done to and how one sees what came of them."""

    # How long a closed interface may take to be seen, and an open one to be captured on again.
    seen_within, open_within = 20, 60

    def __init__(self, build, directory, findings, rate, seed):
        self.findings, self.directory, self.made = findings, directory, 0
        self.slowest, self.openings, self.faults = {}, 0, {}
        self.near = f"sonde-live-{os.getpid()}-near"
        self.far = None
        ip("netns", "add", self.near)
        without_ipv6(self.near)
        ip("-n", self.near, "link", "set", "lo", "up")
        self.make_far()
        for near in PAIRS:
            self.connect(near)
        self.agent = WireAgent(build, directory)
        self.traffic = Traffic(lambda: self.far, list(PAIRS.values()), rate, seed, directory).start()
        self.agent.start(prefix=["ip", "netns", "exec", self.near])
        self.series = Series(self.agent.output)

    def close(self):
        self.traffic.stop()
        if self.agent.is_alive:
            self.agent.kill()
        for name in (self.near, self.far):
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL, check=False)

    # The two namespaces.

    def make_far(self):
        self.made += 1
        self.far = f"sonde-live-{os.getpid()}-far-{self.made}"
        ip("netns", "add", self.far)
        without_ipv6(self.far)

    def connect(self, near, far=None):
        far = far or PAIRS[near]
        # Made at the far side, where it may go away with its namespace.
        ip("-n", self.far, "link", "add", far, "type", "veth", "peer", "name", near)
        ip("-n", self.far, "link", "set", far, "up")
        ip("-n", self.far, "link", "set", near, "netns", self.near)
        self.link("set", near, "up")

    def link(self, *words):
        ip("-n", self.near, "link", *words)

    # What one sees.

    def packets(self, source, interface):
        return self.series.value(source, "sonde.capture.packet.count", interface) or 0

    def is_open(self, source, interface):
        return self.series.value(source, "sonde.capture.active", interface) == 1

    def expect_closed(self, source, interface):
        closed = eventually(lambda: not self.is_open(source, interface), self.seen_within)
        self.findings.expect(closed, f"{source} sees that '{interface}' is not there")

    def expect_open(self, source, interface, counter=None):
        """It is captured on again, and packets are counted that come from now on."""
        began, counter = time.monotonic(), counter or interface
        opened = eventually(lambda: self.is_open(source, interface), self.open_within)
        before = self.packets(source, counter)
        flows = eventually(lambda: self.packets(source, counter) > before, self.seen_within)
        took = time.monotonic() - began
        self.findings.expect(opened and flows, f"{source} captures on '{interface}' again")
        self.openings += 1
        self.slowest[source] = max(self.slowest.get(source, 0), took)

    def expect_flow(self, source, interface):
        before = self.packets(source, interface)
        flows = eventually(lambda: self.packets(source, interface) > before, self.seen_within)
        self.findings.expect(flows, f"{source} goes on counting '{interface}'")

    def state(self, source):
        """What the agent says that a source is doing."""
        found = [entry for entry in (self.agent.status() or {}).get("sources", []) if entry["id"] == source]
        return found[0]["state"] if found else None

    def log_lines(self, pattern):
        return len(re.findall(pattern, self.agent.text()))
