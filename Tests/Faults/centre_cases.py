"""Remote write through a proxy that records and fails, to real central servers: what they acknowledged is what they have."""

import collections
import os
import random
import re
import struct
import time

import remote_write
from agent import Agent, eventually
from delivery_cases import end
from disk_cases import SmallDisk
from proxy import NUMBER, Exchange, Proxy, Record, values, without
from report import Findings, Skipped
from servers import Prometheus, VictoriaMetrics

SERIES = 20


class CentreAgent(Agent):
    """Sends its numbers by remote write, twenty series ten times a second: a series has one sample a millisecond."""

    def __init__(self, build, directory, proxy, name="agent", sink="", metrics="fault.*", **options):
        lines = ("    format: prometheus_remote_write\n    instance: agent\n"
                 f"    metrics: {{ include: ['{metrics}'] }}\n") + sink
        super().__init__(build, os.path.join(directory, name), proxy, name=name, sink=lines,
                         **{"per_tick": SERIES, "per_commit": SERIES, "timeout": "10s", **options})

    def sources(self):
        return super().sources().replace("ledger:", f"series: {SERIES}, ledger:")

    def losses_at_end(self):
        """What its log says at the end that was lost."""
        return ", ".join(re.findall(r"lost in all: (.*)", self.text())) or "nothing lost"

    def sink(self):
        """What status says of the sink."""
        return next(iter((self.status() or {}).get("sinks", [])), {})


def has_all(agent, proxy, limit=40, but=0):
    """Whether everything that the agent has collected by now is acknowledged or refused in time, `but` for some."""
    through = agent.acknowledged() - but
    return eventually(lambda: proxy.highest[agent.identity] >= through, limit)


def settle(fleet, proxy, server, findings, **judged):
    """Waits until all has arrived, stops the agents and asks the oracle."""
    for agent in fleet:
        eventually(lambda: agent.status() is not None)
        has_all(agent, proxy)
    ledger = collections.Counter()
    for agent in fleet:
        end(agent, findings)
        if proxy.highest[agent.identity] < agent.acknowledged():
            # What a busy machine has not delivered by the stop lies in the spool.
            agent.start()
            has_all(agent, proxy)
            end(agent, findings)
        ledger[agent.identity] = agent.lost_in_all()
    return judge(fleet, proxy, server, findings, ledger, **judged)


def judge(fleet, proxy, server, findings, ledger=None, may_lose=None, exact=True):
    """The oracle: what the agents collected, what was acknowledged, what the server has and what the ledger counts agree.

    `may_lose`: notes instead what the server has lost of what it had acknowledged, and returns when it was sent; `exact`: the
    ledger's count is that of the refusals, since no life of an agent ended without a word.
    """
    record = proxy.record()
    acknowledged, refused, offered = (values(table) for table in (record.acknowledged, record.refused, record.offered))
    # VictoriaMetrics shows what it has taken some seconds later.
    last = {key: {max(samples): samples[max(samples)]} for key, samples in acknowledged.items()}
    eventually(lambda: without(last if may_lose else acknowledged, server.stored()[0]) == 0, 10, 0.5)
    stored, twice = server.stored()
    lost = without(acknowledged, stored)
    findings.note(f"{sum(map(len, acknowledged.values()))} samples acknowledged in {len(acknowledged)} series, "
                  f"{record.repeated} of them again, {twice} stored more than once, {record.lost_answers} answers lost")
    findings.expect(not record.flaws, f"samples go forwards: {record.flaws[:2]}")
    if may_lose is None:
        findings.expect(lost == 0, f"{lost} acknowledged samples are not in {server.program}")
    else:
        findings.note(f"{server.program} has lost {lost} of them: {may_lose}")
    findings.expect(without(stored, offered) == 0, "the server has what nobody sent")
    more = sum(1 for key, samples in stored.items() for at in samples
               if at not in acknowledged.get(key, {}) and at not in refused.get(key, {}))
    findings.expect(more == 0, f"{more} samples are stored that no answer to an agent covers")
    for agent in fleet:
        absent, told = numbers_missing(agent, stored, acknowledged, record), (ledger or {}).get(agent.identity, 0)
        findings.expect(absent <= told, f"{absent} numbers of {agent.acknowledged()} are missing, the ledger says {told}")
        if told:
            findings.note(f"{told} in the ledger, {absent} missing from the server")
        rejected = proxy.rejected(agent.identity)
        if exact:
            left_out = left_out_by_age(agent)
            findings.expect(told == rejected + left_out, f"{rejected} refused and {left_out} too old, the ledger says {told}")
    return sorted(at / 1000 for key, samples in acknowledged.items() for at in samples if at not in stored.get(key, {}))


def left_out_by_age(agent):
    """How many samples an agent says at its end that it did not send because of their age."""
    return sum(map(int, re.findall(r"lost in all: .*?(\d+) \(too_old_for_sink\)", agent.text())))


def numbers_missing(agent, stored, acknowledged, record):
    """How many numbers that an agent collected are neither stored nor acknowledged."""
    present = set(record.numbers[agent.identity])
    for key, samples in stored.items():
        labels = dict(key)
        if labels["__name__"] == NUMBER and labels["instance"] == agent.identity:
            present.update(map(int, samples.values()))
    return len(set(range(1, agent.acknowledged() + 1)) - present)


def oracle(build, directory, agents, quick):
    """The oracle notices a server that has not what it acknowledged, samples that go backwards, and what is missing."""
    findings = Findings()
    with Prometheus(directory) as server:
        proxy = Proxy(server)
        agent = CentreAgent(build, directory, proxy).start()
        agents.append(agent)
        findings.expect(eventually(lambda: proxy.count()[1] > 2), "samples arrive")
        proxy.mode = "lie"
        begun = proxy.count()[0]
        eventually(lambda: proxy.count(begun)[1] > 3)
        proxy.mode = "pass"
        noticed = Findings()
        settle([agent], proxy, server, noticed)
        findings.expect(any("acknowledged samples are not in" in claim for claim in noticed.failed),
                        f"a lie is noticed: {noticed.failed}")
        findings.note(f"of a proxy that lies it says: {'; '.join(noticed.failed)}")
        record = proxy.record()
        proxy.exchanges = [exchange for exchange in proxy.exchanges if not (exchange.status == 204 and not exchange.was_forwarded)]
        gap = proxy.record()
        absent = len(record.numbers[agent.identity]) - len(gap.numbers[agent.identity])
        noticed = Findings()
        judge([agent], proxy, server, noticed)
        findings.expect(absent > 0 and any(f"{absent} numbers" in claim for claim in noticed.failed), "a gap is noticed")
    for samples, word in [([(5, 1), (4, 1)], "after"), ([(5, 1), (5, 2)], "another value"), ([(5, 1), (5, 1)], None)]:
        flaws = Record([made(at, bits) for at, bits in samples]).flaws
        findings.expect(word in flaws[0] if word else not flaws, f"{samples}: {flaws}")
    return findings.result()


def made(milliseconds, bits):
    """An exchange of one sample that was acknowledged."""
    exchange = Exchange({}, [(remote_write.key({"__name__": "a"}), [(milliseconds, bits)])], False)
    exchange.status = 204
    return exchange


def restarts(build, directory, agents, quick):
    """An agent that is stopped, or killed in the middle of deliveries, again and again."""
    findings, dice = Findings(), random.Random(7)
    with Prometheus(directory) as server:
        proxy = Proxy(server)
        # Its own metrics too: counters with a start, which begin anew with each life.
        agent = CentreAgent(build, directory, proxy, metrics="*")
        agents.append(agent)
        # Widens the gap between what the server has and what the agent knows that it has.
        proxy.delay = 0.04
        lives, kills = 10 if quick else 40, 0
        for life in range(lives):
            before, begun = agent.acknowledged(), proxy.count()[0]
            agent.start()
            # Also of a life that finds what the last one left.
            eventually(lambda: agent.acknowledged() > before and proxy.count(begun)[1] > 0, 10, every=0.002)
            begun = proxy.count()[0]
            if dice.random() < 0.5:
                eventually(lambda: proxy.count(begun)[0] > 0, 5, every=0.002)
            time.sleep(dice.uniform(0, 0.15))
            findings.expect(agent.is_alive, "the agent ended by itself")
            if life % 4 == 3:
                eventually(lambda: agent.status() is not None)
                end(agent, findings)
            else:
                agent.kill()
                kills += 1
        findings.note(f"{kills} kills and {lives - kills} stops")
        agent.start()
        settle([agent], proxy, server, findings, exact=False)
    return findings.result()


def faults_in_turn(build, directory, agents, quick):
    """500, 503, a hang, resets before and after the server has the request, and half an answer, with both servers."""
    findings = Findings()
    for program in (Prometheus, VictoriaMetrics):
        folder = os.path.join(directory, program.program)
        with program(folder) as server:
            proxy = Proxy(server)
            agent = CentreAgent(build, folder, proxy, timeout="1s").start()
            agents.append(agent)
            findings.expect(eventually(lambda: proxy.count()[1] > 2), "samples arrive at first")
            for mode in [500, 503, "hang", "reset", "reset-after", "half"]:
                begun = proxy.count()[0]
                proxy.mode = mode
                findings.expect(eventually(lambda: proxy.count(begun)[0] > 3), f"requests come at {mode}")
                taken = proxy.count(begun)[1]
                findings.expect(mode == "half" or taken <= 1, f"{taken} are acknowledged at {mode}")
                findings.expect(agent.is_alive, f"the agent lives through {mode}")
                proxy.mode = "pass"
                findings.expect(has_all(agent, proxy), f"all arrives after {mode}")
            settle([agent], proxy, server, findings)
            agent.kill()
    return findings.result()


def lost_answers(build, directory, agents, quick):
    """Batches of ten samples a series whose answers are lost: what comes again is there once, or twice, and none is missing."""
    findings = Findings()
    for program in (Prometheus, VictoriaMetrics):
        folder = os.path.join(directory, program.program)
        with program(folder) as server:
            proxy = Proxy(server)
            agent = CentreAgent(build, folder, proxy, batch="{ wait: 1s }").start()
            agents.append(agent)
            findings.expect(eventually(lambda: proxy.count()[1] > 1), "samples arrive at first")
            for _ in range(2):
                begun = proxy.count()[0]
                proxy.mode = "reset-after"
                eventually(lambda: proxy.count(begun)[0] > 1)
                proxy.mode = "pass"
                findings.expect(has_all(agent, proxy), "all arrives")
            settle([agent], proxy, server, findings)
            findings.note(f"{program.program}: {agent.losses_at_end()}")
    return findings.result()


def slowed_down(build, directory, agents, quick):
    """429 with Retry-After to three agents at once: each waits as long as it was asked to, and all drains."""
    findings, wish = Findings(), 2
    with Prometheus(directory) as server:
        proxy = Proxy(server)
        fleet = [CentreAgent(build, directory, proxy, f"agent-{number}").start() for number in range(3)]
        agents.extend(fleet)
        findings.expect(eventually(lambda: all(proxy.highest[agent.identity] > 0 for agent in fleet)), "all deliver")
        proxy.retry_after, proxy.mode = wish, 429
        findings.expect(eventually(lambda: all(len(refusals(proxy, agent)) >= 2 for agent in fleet), 40), "all are slowed")
        proxy.mode = "pass"
        for agent in fleet:
            waits = [after - at for at, after in zip(refusals(proxy, agent), refusals(proxy, agent)[1:])]
            findings.expect(min(waits) >= wish, f"{agent.name} comes again after {min(waits):.2f} s")
            findings.note(f"{agent.name} waited {', '.join(f'{wait:.1f}' for wait in waits)} s")
        settle(fleet, proxy, server, findings)
    return findings.result()


def slowed_for_long(build, directory, agents, quick):
    """429 for an hour from a server that thirty agents send to: no sink is held, nothing is lost, none storms it afterwards."""
    if not os.environ.get("SONDE_LONG_FAULTS"):
        raise Skipped("an hour and a half; SONDE_LONG_FAULTS=1 runs it")
    findings, minutes = Findings(), 60
    with Prometheus(directory, window="7d") as server:
        proxy = Proxy(server)
        fleet = [CentreAgent(build, directory, proxy, f"agent-{number}", interval="1s", batch="{ wait: 1s }",
                             retry="{ base: 1s, cap: 60s }").start() for number in range(30)]
        agents.extend(fleet)
        findings.expect(eventually(lambda: all(proxy.highest[agent.identity] > 0 for agent in fleet), 120), "all deliver")
        proxy.retry_after, proxy.mode = 30, 429
        begun = proxy.count()[0]
        time.sleep(minutes * 60)
        waits = [after - at for agent in fleet
                 for at, after in zip(refusals(proxy, agent), refusals(proxy, agent)[1:])]
        findings.expect(min(waits) >= 30, f"one comes again after {min(waits):.2f} s")
        states = collections.Counter(agent.sink().get("state") for agent in fleet)
        findings.expect("held" not in states, f"no sink is held: {dict(states)}")
        findings.note(f"{proxy.count(begun)[0]} requests in {minutes} minutes, sinks: {dict(states)}")
        begun, proxy.mode = proxy.count()[0], "pass"
        findings.expect(all(has_all(agent, proxy, 3_600) for agent in fleet), "all drain within an hour")
        with proxy.lock:
            seconds = collections.Counter(int(exchange.time) for exchange in proxy.exchanges[begun:])
        findings.note(f"{max(seconds.values())} requests in the busiest second afterwards, drained after {len(seconds)} s")
        settle(fleet, proxy, server, findings)
        findings.expect(not any(agent.lost_in_all() for agent in fleet), "nothing is in a ledger")
    return findings.result()


def refusals(proxy, agent):
    """When an agent was answered 429."""
    with proxy.lock:
        return [exchange.time for exchange in proxy.exchanges
                if exchange.status == 429 and exchange.agent == agent.identity]


def held(agent, words):
    """Whether the sink is held, and says why."""
    def says():
        error = agent.sink().get("error") or {}
        return agent.sink().get("state") == "held" and words in str(error)
    return eventually(says, 20)


def stripped(build, directory, agents, quick):
    """A proxy takes out of answers how much was written: held with its advice; well again when the proxy is."""
    findings = Findings()
    with Prometheus(directory) as server:
        proxy = Proxy(server)
        agent = CentreAgent(build, directory, proxy).start()
        agents.append(agent)
        findings.expect(eventually(lambda: proxy.count()[1] > 2), "samples arrive at first")
        proxy.mode = "strip"
        findings.expect(held(agent, "A proxy takes X-Prometheus-Remote-Write-Samples-Written out"),
                        f"held, with advice: {agent.sink()}")
        begun = proxy.count()[0]
        collected = agent.acknowledged()
        eventually(lambda: agent.acknowledged() > collected + 10 * SERIES)
        findings.expect(proxy.count(begun)[0] == 0, f"{proxy.count(begun)[0]} requests while it is held")
        proxy.mode = "pass"
        agent.ask("retry", plugin="web")
        findings.expect(has_all(agent, proxy), "all arrives when the proxy is well")
        findings.expect(agent.sink().get("state") != "held", "it is not held any more")
        settle([agent], proxy, server, findings)
    return findings.result()


def versions(build, directory, agents, quick):
    """A receiver that knows 1.0 only and learns 2.0 in mid-run, the other way round, and VictoriaMetrics, which knows 1.0."""
    findings = Findings()
    with Prometheus(directory) as server:
        for mode in ["no-two-415", "no-two-400", "no-two-204"]:
            proxy = Proxy(server)
            agent = CentreAgent(build, os.path.join(directory, mode), proxy).start()
            agents.append(agent)
            proxy.mode = mode
            findings.expect(eventually(lambda: proxy.count()[1] > 2), f"samples arrive at {mode}")
            findings.expect(kinds(proxy)[0] >= 3 and kinds(proxy)[1] == 0, f"they are 1.0: {kinds(proxy)}")
            proxy.mode = "pass"
            findings.expect(has_all(agent, proxy), "all arrives when the receiver knows 2.0 as well")
            if mode == "no-two-415":
                turn(agent, proxy, findings)
            findings.note(f"{mode}: {kinds(proxy)} of 1.0 and 2.0")
            # The server has what all three have sent.
            settle([agent], proxy, Only(server, agent), findings)
    with VictoriaMetrics(directory) as server:
        proxy = Proxy(server)
        agent = CentreAgent(build, os.path.join(directory, "victoria"), proxy).start()
        agents.append(agent)
        findings.expect(eventually(lambda: proxy.count()[1] > 5), "samples arrive at VictoriaMetrics")
        findings.expect(kinds(proxy)[1] == 0, f"it takes 1.0: {kinds(proxy)}")
        settle([agent], proxy, server, findings)
    return findings.result()


def turn(agent, proxy, findings):
    """The receiver takes 2.0 only; then it forgets 2.0 again."""
    for mode, place, word in [("no-one-415", 1, "2.0"), ("no-two-415", 0, "1.0")]:
        proxy.mode = mode
        before = kinds(proxy)[place]
        findings.expect(eventually(lambda: kinds(proxy)[place] > before + 2), f"{word} is sent to one that knows no other")
    findings.expect(has_all(agent, proxy), "all arrives")


def kinds(proxy):
    """How many requests of 1.0 and of 2.0 were acknowledged."""
    with proxy.lock:
        found = collections.Counter(exchange.is_two for exchange in proxy.exchanges if exchange.is_acknowledged)
    return found[False], found[True]


class Only:
    """What one agent has sent to a server that others send to."""

    def __init__(self, server, agent):
        self.server, self.agent, self.program = server, agent, server.program

    def stored(self):
        found, more = self.server.stored()
        return {key: samples for key, samples in found.items() if dict(key)["instance"] == self.agent.identity}, more


def too_old(name, window, sink="", restarts=False):
    """The case of an outage longer than the server's window, with that window; `restarts`: the agent is restarted in it."""
    def case(build, directory, agents, quick):
        findings = Findings()
        os.makedirs(directory, exist_ok=True)
        with Prometheus(directory, window=window) as server:
            findings.expect(eventually(server.has_scraped), "Prometheus has samples of now")
            outage(build, directory, agents, server, sink, name, restarts, findings)
        return findings.result()
    return case


def outage(build, folder, agents, server, sink, name, restarts, findings):
    """An agent collects for a while three hours ago, when its server is not there, and then now."""
    proxy, clock = Proxy(server), os.path.join(folder, "clock")
    proxy.mode = "reset"
    # Small batches: the sink is not to be held by many refusals in a row.
    agent = CentreAgent(build, folder, proxy, sink=sink, batch=f"{{ samples: {2 * SERIES}, wait: 20ms }}")
    agents.append(agent)
    with open(clock, "wb") as file:
        file.write(struct.pack("=q", int(-3 * 3600e9)))
    agent.start(environment={"LD_PRELOAD": build.clock, "FAULT_CLOCK": clock})
    findings.expect(eventually(lambda: agent.acknowledged() >= 50 * SERIES), "it collects")
    with open(clock, "r+b") as file:
        file.write(bytes(8))
    old = agent.acknowledged()
    if restarts:
        # It has never had an answer: nothing but the server can tell it that the address is right.
        end(agent, findings)
        findings.expect(old >= 50 * SERIES, f"more than twenty refusals of {2 * SERIES} samples wait")
        agent.start()
    findings.expect(eventually(lambda: agent.acknowledged() >= old + 5 * SERIES), "it collects after the clock was set")
    proxy.mode = "pass"
    findings.expect(eventually(lambda: proxy.highest[agent.identity] > old + 5 * SERIES), f"{name}: what is new arrives")
    findings.expect("state" in agent.sink() and agent.sink()["state"] != "held", f"{name}: {agent.sink()}")
    losses, bad = agent.losses(), proxy.statuses()[400]
    findings.note(f"{name}: {old} from three hours ago, {losses}, {bad} answers 400")
    settle([agent], proxy, server, findings)
    if name == "refused":
        findings.expect(set(losses) == {"rejected_by_receiver"} and old <= losses["rejected_by_receiver"] + 2 * SERIES,
                        "what is old is counted as refused")
    elif name == "stored":
        findings.expect(not losses and bad == 0, "nothing is lost")
    else:
        # The batch that was cut before the outage is offered again as it is.
        findings.expect(losses["too_old_for_sink"] >= old - 2 * SERIES and bad <= 1, "the agent leaves out what is old")


def full_server_disk(build, directory, agents, quick):
    """The disk of the server is full, and has room again: what it had acknowledged it has, also after a restart."""
    findings = Findings()
    for program in (Prometheus, VictoriaMetrics):
        folder = os.path.join(directory, program.program)
        os.makedirs(folder)
        with SmallDisk(folder, "256m") as disk, program(folder, os.path.join(disk.path, "data")) as server:
            proxy = Proxy(server)
            agent = CentreAgent(build, folder, proxy).start()
            agents.append(agent)
            findings.expect(eventually(lambda: proxy.count()[1] > 5), "samples arrive at first")
            disk.fill()
            begun = proxy.count()[0]
            refused = eventually(lambda: proxy.count(begun)[0] - proxy.count(begun)[1] > 3
                                 or server.process.poll() is not None, 20)
            findings.expect(agent.is_alive, "the agent lives")
            findings.note(f"{program.program} on a full disk: {dict(proxy.statuses(begun))}"
                          + (f", it has ended with {server.process.poll()}" if server.process.poll() is not None else "")
                          + ("" if refused else ", it refuses nothing"))
            disk.free()
            if server.process.poll() is not None:
                server.start()
            findings.expect(has_all(agent, proxy), "all arrives when there is room")
            settle([agent], proxy, server, findings, may_lose="while it ran on")
            server.stop()
            server.start()
            judge([agent], proxy, server, findings, {agent.identity: agent.lost_in_all()}, may_lose="after a restart")
    return findings.result()


def killed_server(build, directory, agents, quick):
    """The server is killed with -9 and started again: Prometheus loses nothing; VictoriaMetrics the last seconds at most."""
    findings = Findings()
    for program in (Prometheus, VictoriaMetrics):
        folder = os.path.join(directory, program.program)
        with program(folder) as server:
            proxy = Proxy(server)
            agent = CentreAgent(build, folder, proxy).start()
            agents.append(agent)
            kills = []
            for _ in range(2):
                begun = proxy.count()[1]
                # VictoriaMetrics has the last five seconds and more in memory.
                wanted = begun + (30 if program is Prometheus else 150)
                findings.expect(eventually(lambda: proxy.count()[1] > wanted, 60), "samples arrive")
                server.kill()
                kills.append(time.time())
                begun = proxy.count()[0]
                eventually(lambda: proxy.count(begun)[0] > 1)
                server.start()
                findings.expect(has_all(agent, proxy), "all arrives when it is back")
            loses = None if program is Prometheus else "by two kills"
            lost = settle([agent], proxy, server, findings, may_lose=loses)
            ages = [min((kill - at for kill in kills if kill >= at - 0.5), default=99) for at in lost]
            if lost:
                findings.note(f"they were {max(ages):.1f} s old at most")
            findings.expect(max(ages, default=0) < 20, "only its last seconds are gone")
    return findings.result()


CASES = {"centre-oracle": oracle, "centre-restarts": restarts, "centre-faults": faults_in_turn,
         "centre-lost-answers": lost_answers, "centre-slowed": slowed_down, "centre-slowed-for-long": slowed_for_long,
         "centre-stripped": stripped,
         "centre-versions": versions, "centre-too-old": too_old("refused", "0s"),
         "centre-too-old-restarted": too_old("refused", "0s", "    version: 1\n", restarts=True),
         "centre-old-stored": too_old("stored", "7d"),
         "centre-old-left-out": too_old("left out", "0s", "    max_sample_age: 55m\n"),
         "centre-full-disk": full_server_disk, "centre-killed": killed_server}
