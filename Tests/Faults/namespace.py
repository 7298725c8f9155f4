"""Network namespaces, and a name server of our own in one of them."""

import ctypes
import os
import shutil
import socket
import struct
import subprocess
import threading

from report import Skipped

CLONE_NEWNET = 0x40000000


def ip(*arguments):
    """Runs `ip`."""
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")


def without_ipv6(name):
    """Keeps a namespace quiet: neighbour discovery would send frames of its own."""
    ip("netns", "exec", name, "sh", "-c",
       "for f in all default; do echo 1 >/proc/sys/net/ipv6/conf/$f/disable_ipv6; done")


def inside(name, function):
    """Runs a function inside a namespace; sockets that it opens stay there."""
    outcome = []

    def run():
        try:
            with open(f"/run/netns/{name}") as file:
                if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            outcome.extend([function(), None])
        except BaseException as error:
            outcome.extend([None, error])

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    value, error = outcome
    if error:
        raise error
    return value


class Namespace:
    """A network namespace with nothing but its loopback; removed at the end.

    `nameserver`: the address that /etc/resolv.conf names for programs that are started inside.
    """

    made = 0

    def __init__(self, nameserver=None):
        Namespace.made += 1
        self.name = f"sonde-faults-{os.getpid()}-{Namespace.made}"
        self.files = os.path.join("/etc/netns", self.name)
        self.nameserver = nameserver

    def __enter__(self):
        try:
            ip("netns", "add", self.name)
            ip("-n", self.name, "link", "set", "lo", "up")
        except OSError as error:
            raise Skipped(f"no network namespace: {error}") from None
        if self.nameserver:
            os.makedirs(self.files)
            with open(os.path.join(self.files, "resolv.conf"), "w") as file:
                file.write(f"nameserver {self.nameserver}\noptions timeout:1 attempts:1\n")
        return self

    def __exit__(self, *_):
        subprocess.run(["ip", "netns", "del", self.name], check=True)
        shutil.rmtree(self.files, ignore_errors=True)

    @property
    def prefix(self):
        """What to put before a command that shall run inside."""
        return ["ip", "netns", "exec", self.name]

    def call(self, function):
        """Runs a function inside; sockets that it opens stay there."""
        return inside(self.name, function)


class NameServer:
    """Answers every question for an IPv4 address with `address`, for one second, and all others with nothing.

    `fault`: "NXDOMAIN" or "SERVFAIL" is answered instead; "silence" answers nothing.
    """

    CODES = {None: 0, "SERVFAIL": 2, "NXDOMAIN": 3}

    def __init__(self, namespace, listens, address):
        self.address, self.queries, self.fault = address, 0, None
        self.socket = namespace.call(lambda: self._bind(listens))
        threading.Thread(target=self._serve, daemon=True).start()

    @staticmethod
    def _bind(listens):
        found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        found.bind((listens, 53))
        return found

    def _serve(self):
        while True:
            try:
                question, client = self.socket.recvfrom(512)
                self.queries += 1
                if self.fault != "silence":
                    self.socket.sendto(self._answer(question), client)
            except OSError:
                return

    def _answer(self, message):
        """RFC 1035, section 4.1: the header, the question again, and at most one record that points at its name."""
        end = 12
        while message[end]:
            end += message[end] + 1
        question = message[12:end + 5]
        code = self.CODES[self.fault]
        found = question[-4:-2] == b"\0\1" and code == 0
        record = struct.pack(">HHHIH", 0xC00C, 1, 1, 1, 4) + socket.inet_aton(self.address) if found else b""
        return message[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, int(found), 0, 0) + question + record

    def close(self):
        self.socket.close()
