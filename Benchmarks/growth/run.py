#!/usr/bin/env python3
"""How cost grows with what there is to see: processor time and memory of the staged agent beside 10 to 100,000 sockets and interfaces,
10 to 10,000 series, and of `sonde inspect` over packets of 10 to 100,000 flows and log lines of 10 to 100,000 names. As root; each in a
network namespace of its own.

usage: run.py [STAGED] [SUBJECT...]      STAGED: the staged tree, dist by default; SUBJECT: sockets, interfaces, series, flows or names"""

import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 20
RECORDS = 1_000_000
COUNTS = (10, 1_000, 100_000)


def inside(function, *arguments):
    """What a function returns as a line of text in a child with a network namespace of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.unshare(os.CLONE_NEWNET) if hasattr(os, "unshare") else unshare()
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        os.write(writer, function(*arguments).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        text = file.read()
    os.waitpid(child, 0)
    return text


def unshare():
    """unshare(2), which Python has from 3.12 on."""
    import ctypes
    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000):
        sys.exit("growth: a network namespace needs root")


def spent(process):
    return sum(int(open(f"/proc/{process}/task/{thread}/schedstat").read().split()[0]) for thread in os.listdir(f"/proc/{process}/task"))


def memory(process):
    """MB of anonymous memory, and resident."""
    def field(path, name):
        return next(int(line.split()[1]) for line in open(f"/proc/{process}/{path}") if line.startswith(name)) / 1024

    return f"{field('smaps_rollup', 'Anonymous:'):6.1f} MB anonymous, {field('status', 'VmRSS:'):6.1f} resident"


def agent(staged, source="{ id: kernel, plugin: procnet }", plugins="[]"):
    """What a collection each second costs the agent with its defaults."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/sonde.yaml", "w") as file:
            file.write(f"version: 1\nagent: {{ interval: 1s, control_socket: {folder}/sock, plugin_dirs: {plugins} }}\nsources: [{source}]\n"
                       f"sinks: [{{ id: out, plugin: file, path: {folder}/lines }}]\n")
        process = subprocess.Popen([f"{staged}/bin/sonded", "run", "--config", f"{folder}/sonde.yaml", "--quiet"])
        time.sleep(5)
        before = spent(process.pid)
        time.sleep(SECONDS)
        text = f"{(spent(process.pid) - before) / 1e6 / SECONDS:8.2f} ms of CPU a second, {memory(process.pid)}"
        process.send_signal(signal.SIGTERM)
        process.wait()
        return text


def sockets(staged, count, folder):
    subprocess.run(["cc", "-O2", "-o", f"{folder}/conns", os.path.join(HERE, "../yardsticks/conns.c")], check=True)
    holder = subprocess.Popen([f"{folder}/conns", str(count // 2)], stdout=subprocess.PIPE, text=True)
    while "READY" not in (line := holder.stdout.readline()):
        if not line:
            return "the connections cannot be made"
    text = agent(staged)
    holder.kill()
    holder.wait()
    return text


def interfaces(staged, count, folder):
    lines = "".join(f"link add a{number} type veth peer name b{number}\nlink set a{number} up\n" for number in range(count // 2))
    subprocess.run(["ip", "-batch", "-"], input=lines, text=True, check=True)
    return agent(staged)


def series(staged, count, folder):
    """A gauge of each, in one commit, written by the file sink."""
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", os.path.join(HERE, "../../Sources/CSondePlugin/include"), "-o", f"{folder}/load.so",
                    os.path.join(HERE, "../isolation/load.c")], check=True)
    return agent(staged, f"{{ id: many, plugin: load, isolation: in_process, samples: {count} }}", f"[{folder}]")


def inspect(staged, path):
    """What `sonde inspect` takes for a record of a file, and its memory."""
    child = os.fork()
    if not child:
        os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
        os.execv(f"{staged}/bin/sonde", ["sonde", "inspect", path])
    _, code, usage = os.wait4(child, 0)
    failed = "" if code == 0 else f", failed with {code}"
    return f"{(usage.ru_utime + usage.ru_stime) * 1e9 / RECORDS:8.0f} ns of CPU a record, {usage.ru_maxrss / 1024:6.1f} MB at most{failed}"


def flows(staged, count, folder):
    """UDP packets between pairs of addresses and ports."""
    draw = random.Random(1)
    path = f"{folder}/flows.pcap"
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for number in range(RECORDS):
            flow = draw.randrange(count)
            packet = (b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0" + struct.pack(">BBHHHBBH4sI", 0x45, 0, 60, 0, 0, 64, 17, 0, b"\x0a\0\0\1", 0x0B000000 + flow)
                      + struct.pack(">HHHH", 10_000 + flow % 50_000, 9_000, 40, 0) + bytes(32))
            file.write(struct.pack("<IIII", 1_700_000_000 + number // 20_000, number % 20_000 * 50, len(packet), len(packet)) + packet)
    return inspect(staged, path)


def names(staged, count, folder):
    """Queries that dnsmasq has logged."""
    draw = random.Random(1)
    path = f"{folder}/names.log"
    with open(path, "w") as file:
        for number in range(RECORDS):
            second = number // 20_000
            file.write(f"Nov 20 10:{second // 60:02}:{second % 60:02} dnsmasq[7]: query[A] n{draw.randrange(count)}.example.net from 10.0.0.1\n")
    return inspect(staged, path)


SUBJECTS = {"sockets": (sockets, COUNTS), "interfaces": (interfaces, (10, 1_000, 10_000, 100_000)),
            "series": (series, (10, 1_000, 10_000)), "flows": (flows, COUNTS), "names": (names, COUNTS)}


def main():
    staged = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "dist")
    for name in sys.argv[2:] or SUBJECTS:
        subject, counts = SUBJECTS[name]
        for count in counts:
            with tempfile.TemporaryDirectory() as folder:
                print(f"{count:7} {name:10} {inside(subject, staged, count, folder)}", flush=True)


main()
