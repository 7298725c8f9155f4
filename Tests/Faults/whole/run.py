#!/usr/bin/env python3
"""Everything at once on real input: `run.py [--minutes N] [--rate N] [--queries N] [--seed N] [--build DIR]`.

Packets, the kernel's counters, the log of a real dnsmasq, numbers, an isolated plugin and two programs go to VictoriaMetrics by remote
write and OTLP, Prometheus, InfluxDB, a receiver that is the oracle, a file, standard output and scrapes; `sonde web` is looked at. A fault
a minute happens, and the plugin and the programs crash at random. At the end one line, PASS or FAIL with its numbers, and the agent's own log
is kept to be read. Needs root, dnsmasq, dnsperf, influxdb and `make servers`.
"""

import argparse
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "live")]

import faults
from agent import eventually
from build import Build, ROOT
from house import House
from points import Points
from processes import Processes, within
from report import Findings, Skipped

# Lines of the log that a person can read beside a fault a minute, and for each crash.
LINES_PER_FAULT, LINES_PER_CRASH = 30, 4
# Descriptors that come and go: connections with servers, scrapes and clients of the control socket; and of three children that may have
# been away when they were counted first, each with a socket, three pipes and a handle.
EXPLAINED = {"socket": 12, "pipe": 9, "anon_inode:[pidfd]": 3}


def inject(house, points, options):
    """A fault a minute until the time is over; which, by kind."""
    end, waiting, done = time.monotonic() + options.minutes * 60, [], {}
    while time.monotonic() < end:
        if not waiting:
            waiting = faults.ALL[:]
            house.random.shuffle(waiting)
        fault, began, failed = waiting.pop(), time.monotonic(), len(house.findings.failed)
        fault(house)
        done[fault.__name__] = done.get(fault.__name__, 0) + 1
        for claim in house.findings.failed[failed:]:
            print(f"  {fault.__name__}: NOT: {claim}", flush=True)
        print(f"  {time.strftime('%H:%M:%S')} {fault.__name__} {time.monotonic() - began:.1f} s", flush=True)
        if not house.agent.is_alive:
            house.findings.expect(False, f"the agent lives after {fault.__name__}")
            return done
        points.read()
        time.sleep(max(0, min(options.every - (time.monotonic() - began), end - time.monotonic())))
    return done


def kernel_bytes(house, direction):
    """What the kernel itself says of up0."""
    told = subprocess.run(["ip", "-n", house.near, "-s", "-j", "link", "show", "up0"], capture_output=True, check=True)
    return json.loads(told.stdout)[0]["stats64"][direction]["bytes"]


def judge_confinement(house, findings):
    """Both captures run in processes that have given up everything."""
    for name in ("wire", "noise"):
        findings.expect(house.agent.source(name).get("sandbox") == "on", f"'{name}' is confined")
        child, _ = house.agent.children(name) or (None, None)
        findings.expect(child, f"'{name}' has a process")
        if child:
            with open(f"/proc/{child}/status") as file:
                status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
            told = {key: status[key].strip() for key in ("CapEff", "CapPrm", "NoNewPrivs", "Seccomp")}
            findings.expect(told == {"CapEff": "0" * 16, "CapPrm": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"},
                            f"the process of '{name}' has given up everything: {told}")


def judge_counts(house, points, findings, done):
    """What was counted is what there was; `done`: how often each fault."""
    logged, agent = house.resolver.queries(), house.agent
    eventually(lambda: points.read().sum("sonde.dns.resolver.query.count", sonde_dns_resolver="dnsmasq") >= logged, 40, 1)
    counted = points.sum("sonde.dns.resolver.query.count", sonde_dns_resolver="dnsmasq")
    findings.note(f"{logged} queries in the logs of dnsmasq, {counted} counted")
    findings.expect(counted == logged, "every query of the log counts once")
    for direction, word in (("rx", "receive"), ("tx", "transmit")):
        wanted = {"network_interface_name": "up0", "network_io_direction": word}
        eventually(lambda: points.read().sum("system.network.io", **wanted) == kernel_bytes(house, direction), 40, 1)
        truth, told = kernel_bytes(house, direction), points.sum("system.network.io", **wanted)
        findings.expect(told == truth, f"{word}: the kernel says {truth} bytes, the file {told}")
    dropped, lost = points.sum("sonde.capture.packet.dropped"), agent.ledger_entries()
    findings.note(f"{points.counted} points in the file, {dropped} packets dropped by the kernel")
    kernel_drops = sum(count for (_, reason), count in lost.items() if reason == "kernel_drop")
    findings.expect(kernel_drops == dropped, "the ledger has the packets that the metrics have")


def judge_ledger(house, points, findings, done):
    """Nothing is lost but what these faults and programs lose; what it is, by component and reason."""
    lost = house.agent.ledger_entries()
    told = " ".join(f"{component}:{reason}={count}" for (component, reason), count in sorted(lost.items()))
    findings.note(f"ledger {told or 'empty'}")
    allowed = {(name, "kernel_drop") for name in ("wire", "noise")}
    allowed |= {(name, "not_committed") for name in ("stream", "runs")}
    # The numbers of a commit that was refused when the disk was full come again.
    if "state_disk_is_full" in done:
        allowed |= {(entry["id"], "spool_full") for entry in house.agent.status()["sources"]}
    # Prometheus takes nothing that is more than ten minutes ahead.
    if "clock_jumps" in done:
        allowed.add(("prometheus", "rejected_by_receiver"))
    # Two points of a series in one millisecond are one in remote write, and the other is counted.
    same = +points.same
    findings.note(f"points in the millisecond of the one before: {dict(same) or 'none'}")
    if lost.get(("write", "rejected_by_receiver"), 0) <= same.total():
        allowed.add(("write", "rejected_by_receiver"))
    findings.expect(lost.keys() <= allowed, f"nothing else is lost than what may be: {sorted(lost.keys() - allowed)}")
    time.sleep(15)
    later = house.agent.ledger_entries()
    # What servers refused was refused long ago: to say so may be no reason to refuse more.
    grown = {entry: later[entry] - lost.get(entry, 0) for entry in later
             if entry[1] == "rejected_by_receiver" and later[entry] > lost.get(entry, 0)}
    findings.expect(not grown, f"nothing is refused while the clock is right: {grown} more in 15 s")
    return later


def judge_numbers(house, points, findings):
    """Everything that the isolated plugin and the programs committed is in the file, once and in order."""
    taken = {"apart": house.agent.number(house.agent.apart)}
    for name in ("stream", "runs"):
        with open(os.path.join(house.directory, f"{name}.taken")) as file:
            taken[name] = int(file.read() or 0)
    for name, number in taken.items():
        eventually(lambda: points.read().numbers[name] >= number, 30, 0.5)
        findings.expect(points.numbers[name] >= number, f"{name}: {number} were taken, the file has {points.numbers[name]}")
        findings.expect(number > 0, f"{name} has committed something")
    findings.expect(not points.flaws, f"numbers come once and in order: {points.flaws[:3]}")
    findings.note(", ".join(f"{points.numbers[name]} of {name}" for name in taken))


def judge_delivery(house, findings):
    goal = house.agent.acknowledged()
    findings.expect(eventually(lambda: house.receiver.last >= goal, 60, 0.2), "all that was acknowledged arrives")
    findings.delivered(house.receiver.verdict(), goal)
    for name in ("write", "otlp", "prometheus", "influx", "out"):
        drained = eventually(lambda: house.agent.sink(name).get("queue", {}).get("points", 0) < 5000, 120, 0.5)
        findings.expect(drained, f"what waits for '{name}' is delivered: {house.agent.sink(name)}")


def judge_servers(house, points, findings, lost):
    """After the stop: every server has the samples that the file has, but for those that the ledger has."""
    points.read()
    # VictoriaMetrics shows what it has taken some seconds later, asked to flush or not.
    time.sleep(10)
    for way, found in house.centre.compare(points).items():
        refused = lost.get((way, "rejected_by_receiver"), 0)
        findings.note(f"{way}: {found}")
        findings.expect(found.samples > 0 and not found.more and not found.other and found.missing <= refused,
                        f"{way} has what the file has but for {refused} refused: {found.examples}")
    count, wrong = house.centre.compare_scrapes(points)
    findings.note(f"{count} counters scraped")
    findings.expect(count > 0 and not wrong, f"what was scraped at last is in the file: {wrong[:3]}")


def judge_page(house, findings):
    """The page was there all the time, and answered; it ends when it is told to."""
    page = house.page
    seen = page.lookers[0].last_view
    findings.expect(eventually(lambda: page.lookers[0].last_view > seen, 30), "the page that stays open is shown what is new")
    page.close()
    answers = sum((looker.answers for looker in page.lookers), start=type(page.lookers[0].answers)())
    flaws = [flaw for looker in page.lookers for flaw in looker.flaws]
    findings.note(f"{sum(looker.views for looker in page.lookers)} views for {sum(looker.opened for looker in page.lookers)} pages, "
                  f"answers {dict(sorted(answers.items()))}")
    findings.expect(not flaws, f"the page says something all the time: {flaws[:3]}")
    failed = [answer for answer in answers if re.search(r" (0|40[0-8]|4[1-9]\d|500)\b", answer)]
    findings.expect(not failed, f"all requests of the page are answered well: {failed[:3]}")


def judge_end(house, findings):
    """What is left after the stop of the agent, and of the server of its page."""
    code, took = house.agent.stop()
    findings.expect(code == 0, f"the agent ends with {code}")
    findings.note(f"stopped in {took:.1f} s")
    code = house.page.stop()
    findings.expect(code == 0, f"sonde web ends with {code}")
    findings.expect("Fatal error" not in house.page.text(), "no trap in sonde web")
    known = {server.process.pid for server in house.centre.servers} | {house.resolver.process.pid}
    left = {}

    def is_empty():
        left.clear()
        left.update({pid: command for pid, command in within(house.near).items() if pid not in known})
        return not left
    eventually(is_empty, 10, 0.5)
    findings.expect(not left, f"no process is left: {left}")
    sockets = [os.path.join(folder, name) for folder, _, names in os.walk(house.directory) for name in names
               if stat.S_ISSOCK(os.lstat(os.path.join(folder, name)).st_mode)]
    findings.expect(not sockets, f"no socket is left: {sockets}")


def judge_log(house, findings, count, crashes):
    """One line an event, each with its level; not more than a person reads."""
    lines = [line for line in house.agent.text().splitlines() if line]
    bound = LINES_PER_FAULT * max(count, 1) + LINES_PER_CRASH * crashes + 100
    findings.note(f"{len(lines)} lines of log")
    findings.expect(len(lines) <= bound, f"{len(lines)} lines for {count} faults and {crashes} crashes")
    odd = [line for line in lines if not re.search(r"\b(error|warning|notice|info|debug)\b", line)]
    findings.expect(not odd, f"{len(odd)} lines without a level: {odd[:1]}")
    findings.expect("Fatal error" not in house.agent.text(), "no trap")


def deeds(house):
    """What the programs did wrong, by kind."""
    found = {}
    for name in ("stream", "runs"):
        path = os.path.join(house.directory, f"{name}.deeds")
        for deed in open(path).read().splitlines() if os.path.exists(path) else []:
            found[f"{name} {deed}"] = found.get(f"{name} {deed}", 0) + 1
    return found


def live(house, findings, options):
    """The whole run."""
    points, processes = Points(house.agent.output), Processes(house.agent.process.pid, house.page.process.pid)
    began, cpu = time.monotonic(), house.agent.cpu()
    done = inject(house, points, options)
    spent = time.monotonic() - began
    findings.note(f"{sum(done.values())} faults of {len(done)} kinds in {spent / 60:.1f} min, "
                  f"CPU {100 * (house.agent.cpu() - cpu) / spent:.1f} %")
    processes.stop()
    house.quiet()
    crashes = deeds(house) | {f"apart {deed}": count for deed, count in house.crashes.done.items()}
    findings.note("crashes: " + ", ".join(f"{deed} {count}" for deed, count in sorted(crashes.items())))
    processes.judge_memory(findings)
    judge_confinement(house, findings)
    judge_page(house, findings)
    judge_counts(house, points, findings, done)
    judge_delivery(house, findings)
    judge_numbers(house, points, findings)
    processes.judge_descriptors(findings, "agent", EXPLAINED)
    processes.judge_descriptors(findings, "web", {})
    lost = judge_ledger(house, points, findings, done)
    judge_end(house, findings)
    judge_servers(house, points, findings, lost)
    judge_log(house, findings, sum(done.values()), sum(crashes.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=60, help="seconds from fault to fault")
    parser.add_argument("--rate", type=int, default=1000, help="frames of noise a second")
    parser.add_argument("--queries", type=int, default=100, help="DNS queries a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/debug"), help="where sonded and the plugins are, or dist")
    parser.add_argument("--log", help="where the agent's log is copied to")
    options = parser.parse_args()
    # Namespaces, mounts and servers go also where somebody ends the run early.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    base, findings, house = tempfile.mkdtemp(prefix="sonde-whole-"), Findings(), None
    os.chmod(base, 0o755)
    plugins = os.path.join(base, "plugins")
    os.makedirs(plugins)
    try:
        house = House(Build(options.build, plugins), os.path.join(base, "house"), findings, options)
        live(house, findings, options)
        passed, text = findings.result()
        print(f"{'PASS' if passed else 'FAIL'} whole: {text}", flush=True)
        return 0 if passed else 1
    except Skipped as reason:
        print(f"skipped: {reason}")
        return 77
    finally:
        if house:
            if options.log:
                shutil.copyfile(house.agent.log, options.log)
            house.close()
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
