#!/usr/bin/env python3
"""Floods an agent with limits in a network namespace of its own, and measures by how much and for how long it exceeds them.

Each flood lasts for --seconds; the agent (SONDE, else dist/bin/sonde) has procnet, pcap and dnslog at level all. What it and its
descendants use is read from /proc once a second, apart from what it says itself. Fails where processor time, averaged over ten seconds,
or memory is more than 10 % above its limit for longer than 30 seconds.
"""
import argparse
import ctypes
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAMESPACE = f"sonde-floods-{os.getpid()}"
TOLERANCE, LONGEST, SPAN = 1.1, 30, 10
CLONE_NEWNET = 0x40000000
TICK = os.sysconf("SC_CLK_TCK")


def ip(*words):
    subprocess.run(["ip", "-n", NAMESPACE, *words], check=True)


def inside(body, *arguments):
    """A process that runs a function in the namespace until it is killed."""
    child = os.fork()
    if child:
        return child
    try:
        file = os.open(f"/run/netns/{NAMESPACE}", os.O_RDONLY)
        if ctypes.CDLL(None, use_errno=True).setns(file, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
        body(*arguments)
    except BaseException as error:
        print(f"the flood ended: {error!r}", file=sys.stderr, flush=True)
    finally:
        os._exit(1)


def stop(child):
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


class Usage:
    """What an agent and its descendants use, by a look each second."""

    def __init__(self, pid):
        self.pid, self.looks, self.gone, self.last = pid, [], 0, {}

    def look(self):
        parents, stats = {}, {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
                parents[int(name)] = int(fields[1])
                stats[int(name)] = sum(map(int, fields[11:15])) / TICK
            except (OSError, IndexError):
                pass
        family, more = {self.pid}, True
        while more:
            more = {p for p, parent in parents.items() if parent in family and p not in family}
            family |= more
        seconds = {p: stats[p] for p in family if p in stats}
        memory = 0
        for process in seconds:
            try:
                with open(f"/proc/{process}/status") as file:
                    memory += sum(int(n) for n in re.findall(r"Rss(?:Anon|Shmem):\s+(\d+)", file.read())) << 10
            except OSError:
                pass
        self.looks.append((time.monotonic(), sum(seconds.values()), memory))

    def excess(self, limits, since):
        """For each limit the highest share of it, and for how long it was exceeded by more than is tolerated at a time."""
        answer = {}
        looks = [each for each in self.looks if each[0] >= since - SPAN]
        shares = []
        for index, (now, seconds, memory) in enumerate(looks):
            before = next(each for each in looks if now - each[0] <= SPAN)
            if now >= since and now > before[0]:
                shares.append((now, max(0, seconds - before[1]) / max(now - before[0], SPAN), memory))
        for place, name in ((1, "cpu"), (2, "memory")):
            longest, began = 0, None
            for row in shares:
                if row[place] > limits[name] * TOLERANCE:
                    began = row[0] if began is None else began
                    longest = max(longest, row[0] - began + 1)
                else:
                    began = None
            answer[name] = (max(row[place] for row in shares) / limits[name], longest)
        return answer


def lines(path, names):
    """Lines of dnsmasq, as fast as they can be written."""
    with open(path, "a") as file:
        number = 0
        while True:
            text = []
            for _ in range(1_000):
                number += 1
                name = random.randrange(10**7) if names else number % 50
                text.append(f"Nov 26 08:20:00 dnsmasq[1]: query[A] h{name}.example.org from 10.0.{number % 7}.{number % 250}\n")
            file.write("".join(text))
            file.flush()



def packets():
    """UDP from many ports to many, over the pair."""
    sender = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sender.bind(("vb", 0))
    head = bytes.fromhex("020000000001020000000002") + b"\x08\x00"
    frames = []
    for number in range(20_000):
        source, target = struct.pack("!I", 0x0A000000 | number), struct.pack("!I", 0x0A010000 | number % 5_000)
        udp = struct.pack("!HHHH", 1_024 + number % 60_000, 53 if number % 10 == 0 else 9_000, 8 + 64, 0) + bytes(64)
        frames.append(
            head + struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), number, 0, 64, 17, 0) + source + target + udp)
    while True:
        for frame in frames:
            try:
                sender.send(frame)
            except OSError:
                time.sleep(0.001)


def sockets(count):
    """Connections over loopback, opened and kept."""
    import resource
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    count = min(count, most // 2 - 50)
    kept = []
    listeners = []
    for port in range(9_000, 9_004):
        listener = socket.socket()
        listener.bind(("127.0.0.1", port))
        listener.listen(1_024)
        listeners.append(listener)
    for number in range(count):
        one = socket.create_connection(("127.0.0.1", 9_000 + number % 4))
        kept.append((one, listeners[number % 4].accept()[0]))
    while True:
        time.sleep(60)


def interfaces(count):
    """Interfaces that come, and stay."""
    for first in range(0, count, 250):
        text = "".join(f"link add f{number} type veth peer name g{number}\n" for number in range(first, first + 250))
        subprocess.run(["ip", "-batch", "-"], input=text, text=True, check=True)
    while True:
        time.sleep(60)


def status(sonde, socket_path):
    answer = subprocess.run(
        [sonde, "status", "--socket", socket_path, "--format", "json"], capture_output=True, text=True)
    return json.loads(answer.stdout)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=int, default=60)
    options.add_argument("--cpu", type=float, default=2, help="percent of a processor")
    options.add_argument("--memory", type=int, default=64, help="MiB")
    options.add_argument("--only", default="", help="one flood")
    options.add_argument("--free", action="store_true", help="without limits, for comparison")
    options = options.parse_args()
    sonde = os.path.abspath(os.environ.get("SONDE") or os.path.join(ROOT, "dist/bin/sonde"))
    limits = {"cpu": options.cpu / 100, "memory": options.memory << 20}
    floods = {
        "lines": lambda log: inside(lines, log, False),
        "names": lambda log: inside(lines, log, True),
        "packets": lambda log: inside(packets),
        "sockets": lambda log: inside(sockets, 20_000),
        "interfaces": lambda log: inside(interfaces, 1_000),
    }
    print(f"{'flood':<11} {'cpu, highest':>12} {'too much for':>12} {'memory':>8} {'too much for':>12}  level", flush=True)
    isBad = False
    for name, flood in floods.items():
        if options.only and name != options.only:
            continue
        work = tempfile.mkdtemp(prefix="sonde-floods-")
        subprocess.run(["ip", "netns", "add", NAMESPACE], check=True)
        agent = child = None
        try:
            ip("link", "set", "lo", "up")
            ip("link", "add", "va", "type", "veth", "peer", "name", "vb")
            ip("link", "set", "va", "up")
            ip("link", "set", "vb", "up")
            log, configuration = os.path.join(work, "q.log"), os.path.join(work, "sonde.yaml")
            open(log, "w").close()
            kept = "" if options.free else f"limits: {{ cpu: {options.cpu}%, memory: {options.memory}MiB, disk: 64MiB }}"
            with open(configuration, "w") as file:
                file.write(f"""version: 1
agent:
  interval: 10s
  state_dir: {work}/state
  control_socket: {work}/s
  {kept}
sources:
  - {{ id: kernel, plugin: procnet, level: all, sockets: detail }}
  - {{ id: wire, plugin: pcap, interface: va, level: all }}
  - {{ id: resolver, plugin: dnslog, path: {log}, format: dnsmasq, level: all }}
sinks:
  - {{ id: out, plugin: file, path: {work}/out.jsonl }}
""")
            with open(os.path.join(work, "err"), "w") as errors:
                agent = subprocess.Popen(
                    ["ip", "netns", "exec", NAMESPACE, sonde, "run", "-c", configuration], stderr=errors,
                    env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
            usage = Usage(agent.pid)
            for _ in range(15):
                time.sleep(1)
                usage.look()
            began = time.monotonic()
            child = flood(log)
            while time.monotonic() < began + options.seconds:
                time.sleep(1)
                usage.look()
            said = status(sonde, os.path.join(work, "s")).get("limits", {})
            found = usage.excess(limits, began)
            disk = sum(
                os.path.getsize(os.path.join(where, file)) for where, _, files in os.walk(f"{work}/state") for file in files)
            (cpu, cpuLong), (memory, memoryLong) = found["cpu"], found["memory"]
            isBad = isBad or cpuLong > LONGEST or memoryLong > LONGEST
            level = f"{said.get('level')}: {', '.join(said.get('saved', []))}" if said else "no limits"
            print(
                f"{name:<11} {cpu:>11.0%} {cpuLong:>10.0f} s {memory:>8.0%} {memoryLong:>10.0f} s  {level}"
                f" (state {disk >> 20} MiB)", flush=True)
        finally:
            if child:
                stop(child)
            if agent:
                agent.terminate()
                try:
                    agent.wait(20)
                except subprocess.TimeoutExpired:
                    agent.kill()
            subprocess.run(["ip", "netns", "delete", NAMESPACE])
            if os.environ.get("KEEP"):
                print(f"kept: {work}")
            else:
                shutil.rmtree(work, ignore_errors=True)
    if isBad and not options.free:
        sys.exit("a limit was exceeded by more than 10 % for longer than 30 s")


if __name__ == "__main__":
    main()
