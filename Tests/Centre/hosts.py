"""Hosts in namespaces of their own, on one bridge with the centre, each with its agent."""

import os
import signal
import socket
import subprocess
import sys
import time

import lab

NETWORK = "10.95.0"
CENTRE = f"{NETWORK}.1"

# A service that accepts nothing: its queue is full at once.
DEAF = """
import socket, time
listener = socket.socket()
listener.bind(("0.0.0.0", 8000))
listener.listen(1)
time.sleep(3600)
"""


def bridge():
    """The network of the centre."""
    lab.run("ip", "link", "add", "br0", "type", "bridge")
    lab.run("ip", "addr", "add", f"{CENTRE}/24", "dev", "br0")
    lab.run("ip", "link", "set", "br0", "up")


class Host:
    """A machine as the agent sees it: its own name, network and file systems."""

    def __init__(self, folder, number):
        self.name, self.number = f"host{number:02}", number
        self.folder = os.path.join(folder, self.name)
        self.state = os.path.join(self.folder, "state")
        self.agent = self.service = None
        os.makedirs(self.state)
        self.holder = lab.spawn(["unshare", "--uts", "--net", "--mount", "sleep", "3600"], self.path("holder"))
        if not lab.eventually(self.is_apart, 30, 0.02):
            raise RuntimeError(f"no namespaces for {self.name}")
        self.connect()

    def path(self, name):
        return os.path.join(self.folder, name)

    def is_apart(self):
        spaces = [os.readlink(f"/proc/{pid}/ns/mnt") for pid in (self.holder.pid, "self")]
        return spaces[0] != spaces[1]

    @property
    def inside(self):
        """What to put before a command that shall run on the host."""
        return ["nsenter", f"--target={self.holder.pid}", "--uts", "--net", "--mount", "--"]

    def run(self, *command):
        return lab.run(*self.inside, *command)

    def connect(self):
        """Gives it a name, a disk of its own and a link to the bridge."""
        far = f"veth{self.number}"
        self.run("hostname", self.name)
        self.run("mount", "-t", "tmpfs", "-o", "size=24m,mode=0700", "tmpfs", self.state)
        lab.run("ip", "link", "add", far, "type", "veth", "peer", "name", "eth0", "netns", str(self.holder.pid))
        lab.run("ip", "link", "set", far, "master", "br0", "up")
        self.run("ip", "addr", "add", f"{NETWORK}.{100 + self.number}/24", "dev", "eth0")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "link", "set", "eth0", "up")
        self.run("ip", "route", "add", "default", "via", CENTRE)

    def start(self, urls):
        """Starts the agent as it is shipped, with two receivers."""
        sinks = "".join(f"  - {{ id: {name}, plugin: http, format: prometheus_remote_write, version: {version}, "
                        f"url: \"{url}\" }}\n" for name, (url, version) in urls.items())
        with open(self.path("sonde.yaml"), "w") as file:
            file.write(f"version: 1\nagent: {{ state_dir: {self.state}, control_socket: {self.path('sonde.sock')} }}\n"
                       f"sources:\n  - {{ id: kernel, plugin: procnet }}\nsinks:\n{sinks}")
        command, plugins = lab.programs()
        self.agent = lab.spawn([*self.inside, *command, "-c", self.path("sonde.yaml"), *plugins], self.path("agent.log"))

    def log(self):
        with open(self.path("agent.log"), errors="replace") as file:
            return file.read()

    def stop(self):
        """Ends all of it."""
        for process in (self.service, self.agent, self.holder):
            if process and process.poll() is None:
                process.kill()
                process.wait()

    # What befalls it.

    def is_killed(self):
        self.agent.kill()

    def is_stopped(self):
        self.agent.send_signal(signal.SIGTERM)
        self.agent.wait(60)

    def loses_its_disk(self):
        subprocess.run([*self.inside, "dd", "if=/dev/zero", f"of={self.state}/full", "bs=64k"], capture_output=True)

    def loses_its_network(self):
        self.run("ip", "link", "set", "eth0", "down")

    def is_repaired(self):
        """Gets its disk and its network back."""
        subprocess.run([*self.inside, "rm", "-f", f"{self.state}/full"], check=True)
        self.run("ip", "link", "set", "eth0", "up")
        self.run("ip", "route", "replace", "default", "via", CENTRE)

    def is_flooded(self):
        self.service = lab.spawn([*self.inside, sys.executable, "-c", DEAF], self.path("service.log"))
        time.sleep(1)
        clients = []
        for _ in range(60):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex((f"{NETWORK}.{100 + self.number}", 8000))
            clients.append(client)
        time.sleep(5)
        for client in clients:
            client.close()
