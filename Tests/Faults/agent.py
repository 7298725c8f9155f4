"""A real agent in a directory of its own, and what it says of itself."""

import ctypes
import glob
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time
import uuid

MASK = (1 << 64) - 1
PR_SET_PDEATHSIG = 1


def end_with_parent():
    """Leaves no agent behind when the driver is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def splay(agent, sink):
    """The wait in seconds before a backlog is offered after a start (HostSplay.swift)."""
    value = 0xCBF29CE484222325
    for byte in f"{agent}/{sink}".encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    value = ((value ^ (value >> 33)) * 0xFF51AFD7ED558CCD) & MASK
    value = ((value ^ (value >> 33)) * 0xC4CEB9FE1A85EC53) & MASK
    return ((value ^ (value >> 33)) % 30_000_000_000) / 1e9


def identity_without_splay(sink):
    """An agent's id that goes on at once: a killed agent would else be killed again before it delivers."""
    while True:
        agent = str(uuid.uuid4())
        if splay(agent, sink) < 0.03:
            return agent


class Agent:
    """`sonde run` with the source of numbers and one HTTP sink."""

    def __init__(self, build, directory, receiver, *, state=True, interval="100ms", per_tick=100, per_commit=1000,
                 spool="", sink="", batch="{ wait: 20ms }", name="agent", grace="5s", timeout="500ms",
                 retry="{ base: 20ms, cap: 200ms }", identity=None):
        self.build, self.directory, self.receiver, self.name = build, directory, receiver, name
        self.url = receiver.url
        self.options = dict(interval=interval, per_tick=per_tick, per_commit=per_commit, spool=spool, sink=sink,
                            batch=batch, grace=grace, timeout=timeout, retry=retry)
        os.makedirs(directory, exist_ok=True)
        self.state = os.path.join(directory, "state") if state is True else state
        self.ledger = os.path.join(directory, "ledger")
        self.socket = os.path.join(directory, f"{name}.sock")
        self.log = os.path.join(directory, f"{name}.log")
        self.process, self.prefix = None, ()
        self.identity = identity or identity_without_splay("web")
        if state is True:
            self.write_identity()

    def write_identity(self):
        os.makedirs(self.state, mode=0o700, exist_ok=True)
        try:
            machine = open("/etc/machine-id").readline().rstrip("\n")
        except OSError:
            machine = "unknown"
        with open(os.path.join(self.state, "agent-id"), "w") as file:
            file.write(f"{self.identity}\n{machine}\n")

    def configuration(self):
        o = self.options
        state = f"  state_dir: {self.state}\n" if self.state else ""
        return (f"version: 1\nagent:\n  host: probe\n  shutdown_grace: {o['grace']}\n"
                f"  control_socket: {self.socket}\n{state}  spool: {{ {o['spool']} }}\n"
                f"sources:\n{self.sources()}"
                f"sinks:\n  - id: web\n    plugin: http\n    url: {self.url}\n    timeout: {o['timeout']}\n"
                f"    batch: {o['batch']}\n    retry: {o['retry']}\n{o['sink']}")

    def sources(self):
        """The lines of the configuration that name the source."""
        o = self.options
        return (f"  - {{ id: load, plugin: numbers, isolation: in_process, interval: {o['interval']}, per_tick: {o['per_tick']}, "
                f"per_commit: {o['per_commit']}, ledger: {self.ledger} }}\n")

    def write_configuration(self):
        path = os.path.join(self.directory, f"{self.name}.yaml")
        with open(path, "w") as file:
            file.write(self.configuration())
        return path

    def start(self, prefix=(), environment=None):
        path = self.write_configuration()
        command = [*prefix, os.path.join(self.build.binaries, "sonde"), "run", "--config", path,
                   "--plugin-dir", self.build.plugins, "--plugin-dir", self.build.binaries]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **(environment or {})},
                                            start_new_session=True, preexec_fn=end_with_parent)
        return self

    @property
    def is_alive(self):
        return self.process.poll() is None

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def stop(self, limit=20):
        """Asks it to stop; its exit code and how long it took."""
        began = time.monotonic()
        self.process.terminate()
        try:
            code = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.kill()
            code = "killed"
        return code, time.monotonic() - began

    def acknowledged(self):
        """The last number that the agent said it has."""
        return self.number(self.ledger)

    @staticmethod
    def number(ledger):
        """The last number in a ledger of a source of numbers; 0: none yet."""
        try:
            with open(ledger, "rb") as file:
                return struct.unpack("=Q", file.read(8))[0]
        except (OSError, struct.error):
            return 0

    def ask(self, request, **members):
        """The agent's answer to a request; nil when it says nothing."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(70)
                client.connect(self.socket)
                client.sendall(json.dumps({"request": request, **members}).encode() + b"\n")
                return json.loads(client.makefile().readline())
        except (OSError, ValueError):
            return None

    def status(self):
        """What the agent says of itself over its socket; nil when it says nothing."""
        return (self.ask("status") or {}).get("status")

    def reload(self):
        """Writes the configuration as it is now and has the agent take it; its answer."""
        self.write_configuration()
        return self.ask("reload")

    def losses(self):
        """What the ledger counts, by reason."""
        found = {}
        for loss in (self.status() or {}).get("losses", []):
            # That an agent was killed is what these cases do.
            if loss["component"] == "agent":
                continue
            found[loss["reason"]] = found.get(loss["reason"], 0) + loss.get("count", 0)
        return found

    def lost_in_all(self):
        """What the agent says was lost, at the end of each of its lives."""
        ends = re.findall(r"lost in all: (.*)", self.text())
        return sum(int(count) for count in re.findall(r"(\d+) \(", " ".join(ends)))

    def text(self):
        with open(self.log, errors="replace") as file:
            return file.read()

    def pid(self):
        """The agent's own process id, also when another program has started it."""
        return (self.status() or {}).get("agent", {}).get("pid", self.process.pid)

    def resident(self):
        """Resident memory in MiB: now, and the most it ever was."""
        found = {}
        with open(f"/proc/{self.pid()}/status") as file:
            for line in file:
                if line.startswith(("VmRSS", "VmHWM")):
                    found[line[:5]] = int(line.split()[1]) / 1024
        return found["VmRSS"], found["VmHWM"]

    def cpu(self):
        """CPU seconds so far, of its children too."""
        ticks = 0
        for pid in family(self.pid()):
            try:
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            # Its own, and those of children that have ended.
            ticks += sum(int(field) for field in fields[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")


def family(pid):
    """A process and all its descendants."""
    found = [pid]
    for tasks in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(tasks) as file:
                children = file.read().split()
        except OSError:
            continue
        for child in children:
            found += family(int(child))
    return found


def eventually(condition, limit=30, every=0.02):
    """Whether a condition comes true within `limit` seconds."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(every)
    return bool(condition())
