"""One agent with every source and every sink, in a network namespace, and all that it watches and sends to."""

import collections
import contextlib
import json
import os
import random
import signal
import subprocess
import threading
import time

from agent import Agent, end_with_parent, eventually, family
from centre import Centre
from disk_cases import SmallDisk
from traffic import Traffic
from namespace import inside, ip, without_ipv6
from page import PageServer
from processes import role
from receiver import Receiver

UNSTEADY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unsteady.py")
ADDRESS, CLIENT = "10.77.0.1", "10.77.0.2"
NAMES = "".join(f"n{number}.example A\n" for number in range(40)) + "none.example A\nother.org AAAA\n"


class WholeAgent(Agent):
    """`sonde run` with every kind of source and sink: those of its own, of a child, and of programs; to servers, files and scrapes."""

    def __init__(self, build, house, receiver):
        self.house, self.output = house, os.path.join(house.outputs.path, "out.jsonl")
        self.lines = os.path.join(house.directory, "stdout.jsonl")
        super().__init__(build, house.directory, receiver, state=os.path.join(house.disk.path, "state"),
                         interval="1s", per_tick=50, timeout="3s", grace="10s", retry="{ base: 200ms, cap: 5s }",
                         sink="    relabel: { drop: { part: apart } }\n")
        self.apart = os.path.join(house.directory, "apart")
        self.write_identity()

    def sources(self):
        return (f"  - {{ id: load, plugin: numbers, isolation: in_process, per_tick: 50, ledger: {self.ledger}, "
                + "interval: 1s, labels: { part: load } }\n"
                + f"  - {{ id: apart, plugin: numbers, isolation: process, per_tick: 1, ledger: {self.apart}, "
                + "interval: 1s, labels: { part: apart } }\n"
                + self._program("stream", "mode: stream", 0.2, 100) + self._program("runs", "interval: 5s", 0, 5)
                + "  - { id: kernel, plugin: procnet, level: all }\n"
                + "  - { id: wire, plugin: pcap, level: all, interface: up0, buffer_size: 2MiB, flow_table: 1MiB }\n"
                + "  - { id: noise, plugin: pcap, level: all, interfaces: [va, vc], buffer_size: 1MiB, flow_table: 1MiB, "
                + "labels: { part: noise } }\n"
                + f"  - {{ id: resolver, plugin: dnslog, level: all, path: {self.house.resolver.log}, format: dnsmasq, "
                + "start: beginning }\n")

    def _program(self, name, mode, pause, steadiness):
        """A program that fails once in so many times."""
        command = ["/usr/bin/python3", "-B", UNSTEADY, name, self.house.directory, str(pause), str(steadiness)]
        return (f"  - {{ id: {name}, plugin: exec, {mode}, format: sonde, command: {json.dumps(command)}, "
                f"labels: {{ part: {name} }} }}\n")

    def configuration(self):
        # Only the receiver gets the numbers of `load`: it is their oracle.
        others = "relabel: { drop: { part: load } }"
        return (super().configuration()
                + self.house.centre.sinks(f"timeout: 3s, retry: {{ base: 200ms, cap: 5s }}, {others}")
                + f"  - {{ id: out, plugin: file, path: {self.output}, rotate: {{ size: 0 }}, {others} }}\n"
                + "  - { id: lines, plugin: stdout, format: json, metrics: { include: [system.network.io] } }\n")

    def start(self, prefix=(), environment=None):
        """As any agent; what the sink writes to standard output goes to a file of its own."""
        return super().start(["sh", "-c", f'exec "$@" >>{self.lines}', "agent", *prefix], environment)

    def source(self, name):
        """What it says of a source."""
        return next((entry for entry in (self.status() or {}).get("sources", []) if entry["id"] == name), {})

    def sink(self, name):
        """What it says of a sink."""
        return next((entry for entry in (self.status() or {}).get("sinks", []) if entry["id"] == name), {})

    def children(self, name):
        """The process of a source that has its own, and its supervisor; None: it has none now."""
        for pid in family(self.process.pid):
            if role(pid) == f"child {name}":
                with open(f"/proc/{pid}/stat") as file:
                    return pid, int(file.read().rpartition(")")[2].split()[1])
        return None

    def ledger_entries(self):
        """What was lost, by component and reason."""
        return {(loss["component"], loss["reason"]): loss.get("count", 0) for loss in (self.status() or {}).get("losses", [])}


class Crashes:
    """Kills or stops the child of `apart`, or kills its supervisor, at random moments."""

    def __init__(self, agent, seed):
        self.agent, self.random, self.done = agent, random.Random(seed), collections.Counter()
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.stopped.wait(self.random.uniform(10, 40)):
            try:
                child, supervisor = self.agent.children("apart")
                deed = self.random.choice(["killed", "stopped", "supervisor killed"])
                os.kill(supervisor if deed.startswith("supervisor") else child,
                        signal.SIGSTOP if deed == "stopped" else signal.SIGKILL)
                self.done[deed] += 1
            except (TypeError, OSError):
                # It has none now.
                continue

    def stop(self):
        self.stopped.set()
        self.thread.join()


class Resolver:
    """dnsmasq in the agent's namespace; its old logs are kept to be counted."""

    def __init__(self, directory, prefix):
        self.log, self.prefix, self.rotations = os.path.join(directory, "dns/q.log"), prefix, 0
        os.makedirs(os.path.dirname(self.log), mode=0o755)
        self.file = os.path.join(directory, "dnsmasq.conf")
        with open(self.file, "w") as file:
            file.write(f"port=53\nlisten-address={ADDRESS}\nbind-interfaces\nno-resolv\nno-hosts\nuser=root\n"
                       f"pid-file={directory}/dnsmasq.pid\nlog-queries=extra\nlog-facility={self.log}\n"
                       "local=/example/\n"
                       + "".join(f"host-record=n{number}.example,192.0.2.{number + 1}\n" for number in range(40)))
        self.process = None

    def start(self):
        self.process = subprocess.Popen([*self.prefix, "dnsmasq", "--keep-in-foreground", f"--conf-file={self.file}"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=end_with_parent)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def rotate(self):
        self.rotations += 1
        os.rename(self.log, f"{self.log}.{self.rotations}")
        self.process.send_signal(12)

    def queries(self):
        """How many queries stand in all of its logs."""
        folder, found = os.path.dirname(self.log), 0
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                found += sum(1 for line in file if b" query[" in line)
        return found


class Asking:
    """dnsperf in the far namespace, started anew when it ends."""

    def __init__(self, directory, namespace, rate):
        self.path, self.namespace, self.rate = os.path.join(directory, "names"), namespace, rate
        with open(self.path, "w") as file:
            file.write(NAMES)
        self.stopped, self.process = threading.Event(), None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.stopped.is_set():
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, "dnsperf", "-s", ADDRESS, "-d", self.path, "-l", "60", "-c", "4",
                 "-t", "2", "-Q", str(self.rate)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
            self.process.wait()
            self.stopped.wait(0.2)

    def stop(self):
        self.stopped.set()
        if self.process:
            self.process.kill()
        self.thread.join()


class House:
    """Two namespaces with three pairs of interfaces: one for questions, two for noise that faults are done to."""

    PAIRS = {"va": "wa", "vc": "wc"}

    def __init__(self, build, directory, findings, options):
        self.findings, self.directory = findings, directory
        self.random = random.Random(options.seed)
        self.near, self.far = (f"sonde-whole-{os.getpid()}-{side}" for side in ("near", "far"))
        self.ends = contextlib.ExitStack()
        try:
            self._furnish(options)
            self._move_in(build, options)
        except BaseException:
            self.close()
            raise

    def _furnish(self, options):
        """Disks, namespaces, interfaces, servers."""
        self.disk = self.ends.enter_context(SmallDisk(self._folder("state"), "96m"))
        self.outputs = self.ends.enter_context(SmallDisk(self._folder("outputs"), "1g"))
        for name in (self.near, self.far):
            ip("netns", "add", name)
            self.ends.callback(subprocess.run, ["ip", "netns", "del", name], check=True)
            without_ipv6(name)
            ip("-n", name, "link", "set", "lo", "up")
        self.pair("up0", "up1")
        ip("-n", self.near, "address", "add", f"{ADDRESS}/24", "dev", "up0")
        ip("-n", self.far, "address", "add", f"{CLIENT}/24", "dev", "up1")
        for near, far in self.PAIRS.items():
            self.pair(near, far)
        self.prefix = ["ip", "netns", "exec", self.near]
        self.resolver = Resolver(self.directory, self.prefix)
        self.resolver.start()
        self.ends.callback(self.resolver.kill)
        self.receiver = self.inside(Receiver)
        self.centre = Centre(self._folder("centre"), self.near)
        self.ends.callback(self.centre.close)
        self.centre.start()

    def _move_in(self, build, options):
        """The agent, the server of its page, and everything that disturbs them."""
        self.agent = WholeAgent(build, self, self.receiver)
        self.clock = os.path.join(self.directory, "clock")
        with open(self.clock, "wb") as file:
            file.write(bytes(8))
        self.agent.start(self.prefix, {"LD_PRELOAD": build.clock, "FAULT_CLOCK": self.clock})
        self.ends.callback(lambda: self.agent.is_alive and self.agent.kill())
        if not eventually(lambda: self.agent.status() is not None, 30):
            raise OSError("the agent does not come up: " + self.agent.text()[-2000:])
        self.page = PageServer(build, self.directory, self.near, self.agent.socket)
        self.ends.callback(self.page.stop)
        self.page.open(options.seed)
        self.ends.callback(self.page.close)
        self.crashes = Crashes(self.agent, options.seed)
        self.ends.callback(self.crashes.stop)
        self.traffic = Traffic(lambda: self.far, list(self.PAIRS.values()), options.rate, options.seed, self.directory).start()
        self.ends.callback(self.traffic.stop)
        self.asking = Asking(self.directory, self.far, options.queries)
        self.ends.callback(self.asking.stop)

    def _folder(self, name):
        path = os.path.join(self.directory, name)
        os.makedirs(path, mode=0o755)
        return path

    def pair(self, near, far):
        ip("-n", self.far, "link", "add", far, "type", "veth", "peer", "name", near)
        ip("-n", self.far, "link", "set", far, "up")
        ip("-n", self.far, "link", "set", near, "netns", self.near)
        ip("-n", self.near, "link", "set", near, "up")

    def link(self, *words):
        ip("-n", self.near, "link", *words)

    def inside(self, function):
        """Runs a function in the near namespace; sockets that it opens stay there."""
        return inside(self.near, function)

    def quiet(self):
        """Ends crashes, traffic and questions, so that what was sent can be compared with what was counted."""
        self.crashes.stop()
        self.asking.stop()
        self.traffic.stop()
        time.sleep(3)

    def close(self):
        self.ends.close()
