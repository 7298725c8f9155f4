"""What floods an agent: functions that run in its network namespace, in processes of their own, until they are killed."""
import ctypes
import os
import random
import resource
import signal
import socket
import struct
import subprocess
import sys
import time

CLONE_NEWNET, PR_SET_PDEATHSIG = 0x40000000, 1
# With how many processes sockets are made: each may have only so many descriptors.
WORKERS = 16


def start(namespace, body, *arguments):
    """A process, and its own, that runs a function in a namespace until it is stopped."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        file = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
        if ctypes.CDLL(None, use_errno=True).setns(file, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
        run(body, *arguments)
    finally:
        os._exit(1)


def run(body, *arguments):
    """Runs a function that ends with the process that has forked this one."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        body(*arguments)
    except BaseException as error:
        print(f"the flood ended: {error!r}", file=sys.stderr, flush=True)


def stop(child):
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)


def paced(rate, size):
    """Yields for each `size` things, so often that `rate` are made each second; None: at once."""
    began, made = time.monotonic(), 0
    while True:
        yield
        made += size
        if rate:
            time.sleep(max(0, began + made / rate - time.monotonic()))


def lines(path, names, rate=None):
    """Lines of dnsmasq, with names that come again or never do."""
    with open(path, "a") as file:
        number = 0
        for _ in paced(rate, 1_000):
            text = []
            for _ in range(1_000):
                number += 1
                name = random.randrange(10**7) if names else number % 50
                text.append(f"Nov 26 08:20:00 dnsmasq[1]: query[A] h{name}.example.org from 10.0.{number % 7}.{number % 250}\n")
            file.write("".join(text))
            file.flush()


def packets(interface, rate=None, size=64):
    """UDP from many ports to many, a tenth of it to port 53."""
    sender = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sender.bind((interface, 0))
    head = bytes.fromhex("020000000001020000000002") + b"\x08\x00"
    frames = []
    for number in range(20_000):
        source, target = struct.pack("!I", 0x0A000000 | number), struct.pack("!I", 0x0A010000 | number % 5_000)
        udp = struct.pack("!HHHH", 1_024 + number % 60_000, 53 if number % 10 == 0 else 9_000, 8 + size, 0) + bytes(size)
        frames.append(
            head + struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), number, 0, 64, 17, 0) + source + target + udp)
    pace = paced(rate, 100)
    while True:
        for number, frame in enumerate(frames):
            if number % 100 == 0:
                next(pace)
            try:
                sender.send(frame)
            except OSError:
                time.sleep(0.001)


def everything(log):
    """All of it at once, at rates that an agent without limits follows."""
    bodies = ((lines, log, True, 5_000), (packets, "vb", 20_000, 1_000), (sockets, 20_000, 2_000), (interfaces, 500))
    for body, *arguments in bodies:
        if not os.fork():
            run(body, *arguments)
            os._exit(1)
    while True:
        time.sleep(60)


def sockets(connections, listeners, churn=True):
    """Listening ports, connections that are kept, and others that come and go."""
    for worker in range(WORKERS):
        if not os.fork():
            run(keep_sockets, f"127.0.{worker}.1", connections // WORKERS, listeners // WORKERS)
            os._exit(1)
    if churn:
        time.sleep(5)
        while True:
            for worker in range(WORKERS):
                for port in range(10_000, 10_008):
                    try:
                        socket.create_connection((f"127.0.{worker}.1", port), 1).close()
                    except OSError:
                        pass
                    time.sleep(0.001)
    while True:
        time.sleep(60)


def keep_sockets(address, connections, listeners):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    listening, kept = [], []
    for port in range(10_000, 10_000 + max(8, listeners)):
        listener = socket.socket()
        listener.bind((address, port))
        listener.listen(64)
        listening.append(listener)
    for number in range(min(connections, (most - len(listening) - 50) // 2)):
        place = number % 8
        one = socket.create_connection((address, 10_000 + place))
        kept.append((one, listening[place].accept()[0]))
    while True:
        for listener in listening[:8]:
            listener.settimeout(0.01)
            try:
                listener.accept()[0].close()
            except OSError:
                pass


def interfaces(count, churn=True):
    """Pairs of interfaces that stay, and others that come and go."""
    for first in range(0, count, 250):
        change("".join(add("f", number) for number in range(first, min(first + 250, count))))
    while churn:
        change("".join(add("c", number) for number in range(20)))
        time.sleep(0.2)
        change("".join(f"link del c{number}\n" for number in range(20)))
    while True:
        time.sleep(60)


def add(name, number):
    return f"link add {name}{number} type veth peer name p{name}{number}\n"


def change(batch):
    subprocess.run(["ip", "-batch", "-"], input=batch, text=True, check=True)
