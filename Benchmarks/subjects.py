"""What is measured: programs over fixed inputs, with the yardsticks and peers that do as much."""

import gzip
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(ROOT, "plugins/sources/dnslog/Tests/Fixtures")
PROC_FILES = [f"/proc/net/{name}" for name in ("dev", "snmp", "snmp6", "netstat", "sockstat", "sockstat6")]
LOGS = ["unbound", "bind-queries", "dnsmasq-extra", "powerdns-structured", "powerdns-classic", "kresd"]
FORMATS = ["json", "influx", "prometheus", "remote_write_1", "remote_write_2"]


class Subject:
    """Work that is done over `units` units by our program, a yardstick in C, and peers where they are installed.

    `is_fixed`: the same instructions on every machine of one kind, because nothing of the host is read.
    """

    def __init__(self, name, unit, units, ours, yardstick=None, peers=(), is_fixed=True):
        self.name, self.unit, self.units, self.ours = name, unit, units, ours
        self.yardstick, self.is_fixed = yardstick, is_fixed
        self.peers = [(peer, command) for peer, command in peers if shutil.which(peer)]


class Inputs:
    """Builds the programs and makes the inputs in a directory; the same ones every time."""

    def __init__(self, directory):
        self.directory = directory
        # Not the folder of `make build`, whose flags are others: each would build all of the other's anew.
        build = ["swift", "build", "-c", "release", "--scratch-path", ".build-benchmark"]
        subprocess.run(build, cwd=ROOT, check=True, stdout=sys.stderr)
        self.binaries = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True,
                                       text=True).stdout.strip()
        for name, libraries in (("cfloor", ["-lpcap"]), ("dnsparse", []), ("genlog", []), ("readproc", [])):
            source = os.path.join(ROOT, f"Benchmarks/yardsticks/{name}.c")
            subprocess.run(["cc", "-O2", "-o", self.path(name), source, *libraries], check=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def ours(self, name):
        """A copy without debugging information: valgrind gives up on some of it."""
        program = self.path(f"{name}-benchmark")
        if not os.path.exists(program):
            subprocess.run(["strip", "-g", "-o", program, os.path.join(self.binaries, f"{name}-benchmark")], check=True)
        return program

    def capture(self, profile, packets):
        path = self.path(f"{profile}.pcap")
        script = os.path.join(ROOT, "Benchmarks/yardsticks/gen_capture.py")
        subprocess.run([sys.executable, script, "--profile", profile, "--packets", str(packets), "--snaplen", "256",
                        "--out", path], check=True, stdout=subprocess.DEVNULL)
        return path

    def dnsmasq_log(self, size):
        path = self.path("dnsmasq.log")
        with open(path, "wb") as file:
            subprocess.run([self.path("genlog"), str(size)], stdout=file, check=True)
        return path

    def recorded_log(self, name, times):
        path = self.path(f"{name}.log")
        with gzip.open(os.path.join(FIXTURES, f"{name}.log.gz")) as source, open(path, "wb") as file:
            data = source.read()
            for _ in range(times):
                file.write(data)
        return path


def lines(path):
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def subjects(inputs, scale):
    """All of them; `scale` multiplies the size of the inputs, 1 is what callgrind reads in some seconds."""
    found = []
    floor, packets = inputs.path("cfloor"), 100_000 * scale
    for profile in ("mix", "dns"):
        file = inputs.capture(profile, packets)
        flow_tools = [("softflowd", ["softflowd", "-r", file, "-m", "1000000", "-d", "-p", inputs.path("pid"), "-c", "none"]),
                      ("nfpcapd", ["nfpcapd", "-r", file, "-w", inputs.directory, "-t", "3600"]),
                      ("argus", ["argus", "-r", file, "-w", "/dev/null"])]
        dns_tools = [("dnstop", ["dnstop", "-4", "-6", "-Q", "-R", file])]
        if profile == "mix":
            found.append(Subject("wire: frames decoded, mix", "frame", packets, [inputs.ours("wire"), file],
                                 [floor, "mflow", file]))
        for mode, words, peers in (("flow", "flows", flow_tools), ("dns", "flows and DNS", []),
                                   ("odns", "DNS alone", dns_tools)):
            found.append(Subject(f"pcap: {words}, {profile}", "packet", packets, [inputs.ours("pcap"), mode, file],
                                 [floor, mode, file], peers))
    logs = [("dnsmasq", inputs.dnsmasq_log(8_000_000 * scale))]
    logs += [(name, inputs.recorded_log(name, 4 * scale)) for name in LOGS]
    for name, path in logs:
        for mode, words in (("inspect", "read"), ("metrics", "all metrics")):
            found.append(Subject(f"dnslog: {name}, {words}", "line", lines(path), [inputs.ours("dnslog"), mode, path],
                                 [inputs.path("dnsparse"), path]))
    for name in FORMATS:
        rounds = 20 * scale
        found.append(Subject(f"formats: {name}", "point", 3_000 * rounds, [inputs.ours("formats"), str(rounds), name]))
    rounds = 300 * scale
    found.append(Subject("procnet: one collection", "collection", rounds, [inputs.ours("procnet"), str(rounds)],
                         [inputs.path("readproc"), str(rounds), "65536", *PROC_FILES], is_fixed=False))
    points = 100_000 * scale
    found.append(Subject("spool: append, cut, read, acknowledge", "point", points,
                         ["sh", "-c", f"rm -rf {inputs.path('spool')}; exec {inputs.ours('spool')} throughput "
                                      f"{inputs.path('spool')} {points}"]))
    found.append(Subject("snapshot of a busy host", "snapshot", 200 * scale,
                         [inputs.ours("history"), "snapshot", "-", str(200 * scale)]))
    return found
