"""A host with real traffic on it: a resolver with its log, clients behind a veth pair, and agents that measure it.

All of it is in a network namespace of its own, which the caller has entered (`enter`), and ends with it.
"""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "Tests/Faults"))

from agent import end_with_parent, eventually  # noqa: E402
from report import Skipped  # noqa: E402
from servers import FOLDER, Server, free_port  # noqa: E402

ENTERED = "SONDE_CENTRE_ENTERED"


def enter():
    """Runs this program again in namespaces of its own; returns in there."""
    if os.environ.get(ENTERED):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        if not os.path.exists("/sys/kernel/tracing/events"):
            subprocess.run(["mount", "-t", "tracefs", "nodev", "/sys/kernel/tracing"], check=True)
        return
    if os.geteuid() != 0:
        raise Skipped("namespaces need root")
    os.environ[ENTERED] = "1"
    os.execvp("unshare", ["unshare", "--net", "--mount", sys.executable, "-B", *sys.argv])


def programs():
    """The agent's programs and the folders of its plugins: an installation, or a build's folder."""
    sonde = os.environ.get("SONDE", os.path.join(ROOT, "dist/bin/sonde"))
    if not os.access(sonde, os.X_OK):
        raise Skipped(f"{sonde} is not there: make build, or SONDE=PATH with SONDE_PLUGINS=FOLDER")
    plugins = os.environ.get("SONDE_PLUGINS")
    return [sonde, "run"], ["--plugin-dir", plugins] if plugins else []


def spawn(command, log, **options):
    """A process that ends with this one; what it prints is in the file."""
    with open(log, "ab") as file:
        return subprocess.Popen(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL,
                                preexec_fn=end_with_parent, **options)


def run(*command):
    """Runs a command that has to succeed."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Centre(Server):
    """A server that answers the queries of dashboards and rules."""

    def ask(self, path, **parameters):
        """The data of an answer; raises with the server's words where it is none of success."""
        body = urllib.parse.urlencode(parameters).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=body or None)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{self.program}: {error.read().decode()[:500]}") from None

    def now(self, query):
        """The series that a query finds now."""
        return self.ask("/api/v1/query", query=query)["result"]

    def span(self, query, start, end, step):
        """The series that a query finds over a span."""
        # nocache: VictoriaMetrics would round the span to steps.
        return self.ask("/api/v1/query_range", query=query, start=start, end=end, step=step, nocache=1)["result"]


class Prometheus(Centre):
    program, ready = "prometheus", "/-/ready"

    def __init__(self, directory, *, targets=(), rules=(), evaluated="5s", listen="127.0.0.1"):
        super().__init__(directory)
        self.listen = listen
        with open(os.path.join(directory, "prometheus.yml"), "w") as file:
            file.write(f"global: {{ scrape_interval: 1s, evaluation_interval: {evaluated} }}\n"
                       f"rule_files: {json.dumps(list(rules))}\nscrape_configs: {scrapes(targets)}\n")

    def arguments(self):
        return [f"--config.file={self.directory}/prometheus.yml", f"--storage.tsdb.path={self.data}",
                f"--web.listen-address={self.listen}:{self.port}", "--web.enable-remote-write-receiver"]


class VictoriaMetrics(Centre):
    program, ready = "victoria-metrics", "/health"

    def __init__(self, directory, *, targets=(), listen="127.0.0.1"):
        super().__init__(directory)
        self.listen = listen
        self.scrapes = os.path.join(directory, "scrape.yml")
        with open(self.scrapes, "w") as file:
            file.write(f"global: {{ scrape_interval: 1s }}\nscrape_configs: {scrapes(targets)}\n")

    def arguments(self):
        return [f"-storageDataPath={self.data}", f"-httpListenAddr={self.listen}:{self.port}",
                "-search.latencyOffset=0s", "-retentionPeriod=2d", f"-promscrape.config={self.scrapes}"]


def scrapes(targets):
    """What to scrape; JSON is YAML."""
    return json.dumps([{"job_name": "sonde-scrape", "static_configs": [{"targets": targets}]}] if targets else [])


UNBOUND = """server:
    interface: 10.94.0.1
    access-control: 0.0.0.0/0 allow
    username: ""
    chroot: ""
    directory: "{folder}"
    pidfile: "{folder}/unbound.pid"
    use-syslog: no
    logfile: "{folder}/unbound.log"
    log-queries: yes
    log-replies: yes
    log-tag-queryreply: yes
    log-servfail: yes
    do-ip6: no
    module-config: "iterator"
    num-threads: 1
    do-not-query-localhost: no
    serve-expired: no
    local-zone: "example.net." static
    local-data: "www.example.net. A 192.0.2.1"
    local-data: "www.example.net. AAAA 2001:db8::1"
    local-zone: "silent.example." deny
forward-zone:
    name: "broken.example."
    forward-addr: 10.94.0.2@5399
"""

# Names of the broken server are asked for once: the resolver remembers failures.
QUESTIONS = "".join(f"""www.example.net A
www.example.net AAAA
missing.example.net A
a{number}.broken.example A
silent.example A
www.example.net TXT
""" for number in range(5000))

SERVICE = """
import socket, threading
listener = socket.create_server(("10.94.0.1", 8000), backlog=64)
def answer(client):
    with client:
        client.recv(4096)
        client.sendall(b"x" * 20000)
while True:
    threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()
"""

CLIENT = """
import socket, time
while True:
    try:
        with socket.create_connection(("10.94.0.1", 8000)) as client:
            client.sendall(b"please")
            while client.recv(65536): pass
    except OSError:
        pass
    time.sleep(0.05)
"""


class Host:
    """The resolver, the service and their clients; the agent that looks at them."""

    device = "uplink0"

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def start(self):
        """Makes the link to the clients and starts everything but the agent."""
        holder = self.spawn(["unshare", "--net", "sleep", "3600"], "clients")
        if not eventually(lambda: os.readlink(f"/proc/{holder.pid}/ns/net") != os.readlink("/proc/self/ns/net"), 10, 0.02):
            raise RuntimeError("no namespace for the clients")
        inside = ["nsenter", f"--net=/proc/{holder.pid}/ns/net"]
        run("ip", "link", "add", self.device, "type", "veth", "peer", "name", "eth0", "netns", str(holder.pid))
        run("ip", "addr", "add", "10.94.0.1/24", "dev", self.device)
        run("ip", "link", "set", self.device, "up")
        # A veth pair has no queue of its own.
        run("tc", "qdisc", "replace", "dev", self.device, "root", "pfifo")
        run("ip", "route", "add", "default", "via", "10.94.0.2")
        for command in ("addr add 10.94.0.2/24 dev eth0", "link set eth0 up", "link set lo up"):
            run(*inside, "ip", *command.split())
        self.spawn(["/usr/sbin/unbound", "-d", "-c", self.write("unbound.conf", UNBOUND.format(folder=self.folder))],
                   "unbound.out")
        self.spawn([sys.executable, self.write("service.py", SERVICE)], "service.out")
        if not eventually(lambda: os.path.exists(self.path("unbound.log")), 10, 0.05):
            raise RuntimeError(f"unbound does not start: {open(self.path('unbound.out')).read()[-500:]}")
        questions = self.write("questions", QUESTIONS)
        self.spawn([*inside, "dnsperf", "-s", "10.94.0.1", "-d", questions, "-Q", "40", "-l", "3600", "-t", "1"],
                   "dnsperf.out")
        self.spawn([*inside, sys.executable, self.write("client.py", CLIENT)], "client.out")
        return self

    def spawn(self, command, log):
        process = spawn(command, self.path(log))
        self.processes.append(process)
        return process

    def stop(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def sources(self, level="core"):
        """Every source of the dashboards."""
        return f"""  - {{ id: kernel, plugin: procnet, level: {level} }}
  - {{ id: why, plugin: drops, level: {level} }}
  - {{ id: wire, plugin: pcap, level: {level}, interface: {self.device}, dns_timeout: 1s, flow_idle_timeout: 2s }}
  - id: resolver
    plugin: dnslog
    level: {level}
    path: {self.path("unbound.log")}
    resolver: "10.94.0.1:53"
    timeout: 2s
"""

    def start_agent(self, name, sources, sinks):
        """An agent of this name that measures every second."""
        text = f"""version: 1
agent:
  interval: 1s
  host: {name}
  state_dir: {self.path(name)}
  control_socket: {self.path(name)}.sock
sources:
{sources}sinks:
{sinks}"""
        command, plugins = programs()
        return self.spawn([*command, "-c", self.write(f"{name}.yaml", text), *plugins], f"{name}.log")
