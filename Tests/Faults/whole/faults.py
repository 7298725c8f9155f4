"""What happens to the house, a fault a minute. Each takes at most forty seconds and leaves everything as it was."""

import os
import signal
import socket
import struct
import time

from agent import eventually
from namespace import ip


def expect_delivery(house, within=40):
    """What the agent has acknowledged from now on arrives."""
    goal = house.agent.acknowledged() + 1
    house.findings.expect(eventually(lambda: house.receiver.last >= goal, within, 0.2), "delivery goes on")


def receiver_answers(mode, retry_after=None):
    def fault(house):
        house.receiver.mode, house.receiver.retry_after = mode, retry_after
        time.sleep(20)
        house.receiver.mode, house.receiver.retry_after = "ok", None
        expect_delivery(house)
    fault.__name__ = f"receiver_answers_{mode}"
    return fault


def receiver_is_gone(house):
    house.receiver.down()
    time.sleep(20)
    house.inside(house.receiver.up)
    expect_delivery(house)


def receiver_is_slow(house):
    house.receiver.delay = 2
    time.sleep(20)
    house.receiver.delay = 0
    expect_delivery(house)


def state_disk_is_full(house):
    house.disk.fill()
    time.sleep(20)
    house.disk.free()
    expect_delivery(house)


def output_disk_is_full(house):
    house.outputs.fill()
    time.sleep(20)
    house.outputs.free()
    size = os.path.getsize(house.agent.output)
    grows = eventually(lambda: os.path.getsize(house.agent.output) > size, 40, 0.5)
    house.findings.expect(grows, "the file grows again")


def log_is_rotated(house):
    for _ in range(5):
        house.resolver.rotate()
        time.sleep(3)


def resolver_is_killed(house):
    house.resolver.kill()
    time.sleep(5)
    house.resolver.start()


def interface_goes_down(house):
    house.link("set", "va", "down")
    time.sleep(5)
    house.link("set", "va", "up")


def interface_is_removed(house):
    house.link("del", "vc")
    time.sleep(5)
    house.pair("vc", "wc")


def interfaces_come_and_go(house):
    """Twenty pairs in ten seconds, ten times each; the last stay for a collection."""
    for stay in [0.5] * 9 + [12]:
        for number in range(20):
            house.link("add", f"t{number}a", "type", "veth", "peer", "name", f"t{number}b")
        time.sleep(stay)
        for number in range(20):
            house.link("del", f"t{number}a")
        time.sleep(0.5)


def capture_overruns(house):
    os.kill(house.agent.process.pid, signal.SIGSTOP)
    try:
        house.traffic.burst("wc", 8_000)
    finally:
        os.kill(house.agent.process.pid, signal.SIGCONT)


def agent_stands_still(house):
    os.kill(house.agent.process.pid, signal.SIGSTOP)
    time.sleep(10)
    os.kill(house.agent.process.pid, signal.SIGCONT)
    expect_delivery(house)


def clock_jumps(house):
    for seconds in (3600, -1800, 0):
        with open(house.clock, "r+b") as file:
            file.write(struct.pack("=q", seconds * 1_000_000_000))
        time.sleep(8)
    expect_delivery(house)


def many_connections(house):
    """Sockets that the walk has to pass, and a listener that nobody serves."""
    def open_all():
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        ends = []
        for _ in range(64):
            end = socket.socket()
            end.setblocking(False)
            end.connect_ex(listener.getsockname())
            ends.append(end)
        return [listener, *ends]
    ends = house.inside(open_all)
    time.sleep(10)
    for end in ends:
        end.close()


def garbage_at_the_socket(house):
    """A hundred clients that send what is no request, or never read the answer."""
    clients = []
    for number in range(100):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(2)
        try:
            client.connect(house.agent.socket)
            client.sendall([b"\0" * 4096, b'{"request":', b'{"request":"snapshot"}\n' * 50, b"GET / HTTP/1.1\r\n\r\n"][number % 4])
        except OSError:
            pass
        clients.append(client)
    time.sleep(5)
    for client in clients:
        client.close()
    house.findings.expect(eventually(lambda: house.agent.status() is not None, 20), "the agent answers again")


def neighbours_change(house):
    for number in range(2, 200):
        ip("-n", house.near, "neighbour", "replace", f"10.77.0.{number + 2}", "lladdr", "02:00:00:00:00:02", "dev", "up0")
    time.sleep(3)
    ip("-n", house.near, "neighbour", "flush", "dev", "up0")


def expect_sink(house, name):
    """What waits for a sink that failed is delivered."""
    before = house.agent.sink(name).get("points", 0)
    goes_on = eventually(lambda: house.agent.sink(name).get("points", 0) > before
                         and "ended" in house.agent.sink(name).get("error", {"ended": ""}), 40, 0.5)
    house.findings.expect(goes_on, f"delivery to '{name}' goes on")


def victoria_is_restarted(house):
    """By a service's stop: after a kill it has lost seconds of what it acknowledged."""
    house.centre.victoria.stop()
    time.sleep(10)
    house.centre.victoria.start()
    expect_sink(house, "write")
    expect_sink(house, "otlp")


def prometheus_is_killed(house):
    house.centre.prometheus.kill()
    time.sleep(10)
    house.centre.prometheus.start()
    expect_sink(house, "prometheus")


def influx_is_killed(house):
    house.centre.influx.kill()
    time.sleep(10)
    house.centre.influx.start()
    expect_sink(house, "influx")


def servers_hang(house):
    """All three, and the receiver: connections stand, and nobody answers."""
    house.receiver.mode = "hang"
    for server in house.centre.servers:
        server.process.send_signal(signal.SIGSTOP)
    time.sleep(15)
    for server in house.centre.servers:
        server.process.send_signal(signal.SIGCONT)
    house.receiver.mode = "ok"
    expect_delivery(house)
    for name in ("write", "otlp", "prometheus", "influx"):
        expect_sink(house, name)


def page_stands_still(house):
    os.kill(house.page.process.pid, signal.SIGSTOP)
    time.sleep(8)
    os.kill(house.page.process.pid, signal.SIGCONT)


ALL = [receiver_answers("hang"), receiver_answers("reset"), receiver_answers(500), receiver_answers(503, 5),
       receiver_answers(429, 10), receiver_is_gone, receiver_is_slow, state_disk_is_full, output_disk_is_full,
       log_is_rotated, resolver_is_killed, interface_goes_down, interface_is_removed, interfaces_come_and_go,
       capture_overruns, agent_stands_still, clock_jumps, many_connections, garbage_at_the_socket, neighbours_change,
       victoria_is_restarted, prometheus_is_killed, influx_is_killed, servers_hang, page_stands_still]
