#!/usr/bin/env python3
"""30 real agents and one HTTPS server: how long a remote configuration takes to reach all of them, how long a bad one stays, and
whether collections are missing meanwhile.

SONDED names the program; AGENTS, INTERVAL and PROBATION (seconds) the size. Everything is on loopback and in a directory of its own.
Fails where one of the bounds is not kept: all within the interval and 5 s, back within probation and 10 s, no collection missed."""
import calendar
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parents[2]
sonded = os.environ.get("SONDED", str(root / ".build/debug/sonded"))
agents, interval, probation = (int(os.environ.get(name, value)) for name, value in
                               [("AGENTS", 30), ("INTERVAL", 30), ("PROBATION", 30)])
# What fetching, checking and reloading take, on a machine with two cores for all agents.
work = 5.0
folder = pathlib.Path(tempfile.mkdtemp(prefix="sonde-remote-"))
children = []


def sh(script):
    return subprocess.run(["/bin/sh", "-ec", script], cwd=folder, check=True, capture_output=True, text=True).stdout


def start(words, log):
    with open(folder / log, "wb") as file:
        child = subprocess.Popen(words, stdout=file, stderr=file, cwd=folder, env={
            "PATH": "/usr/bin:/bin", "RUNTIME_DIRECTORY": str(folder), "LC_ALL": "C.UTF-8"})
    children.append(child)
    return child


def wait(what, span, condition):
    end = time.monotonic() + span
    while time.monotonic() < end:
        value = condition()
        if value is not None:
            return value
        time.sleep(0.1)
    sys.exit(f"not within {span} s: {what}; see {folder}")


def publish(text):
    (folder / "fleet.yaml").write_text(text)
    sh("openssl pkeyutl -sign -rawin -inkey sign.key -in fleet.yaml -out fleet.sig; "
       "{ printf 'sonde-signed-1 '; base64 -w 0 fleet.sig; echo; cat fleet.yaml; } > fleet.signed; mv fleet.signed file")
    return time.time()


def status(number):
    """What an agent says, asked at its socket: no process is started for it."""
    with socket.socket(socket.AF_UNIX) as asked:
        asked.settimeout(10)
        asked.connect(f"{folder}/{number}.sock")
        asked.sendall(b'{"request":"status"}\n')
        answer = b""
        while not answer.endswith(b"\n"):
            more = asked.recv(1 << 16)
            if not more:
                break
            answer += more
    answer = json.loads(answer)
    return answer.get("status", answer)


def moment(number, text):
    """When an agent has logged a text last; None: it has not."""
    lines = [line for line in (folder / f"{number}.log").read_text().splitlines() if text in line]
    if not lines:
        return None
    stamp = lines[-1].split()[0]
    return calendar.timegm(time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S")) + float(stamp[19:-1])


def moments(text, since):
    """When each agent has logged a text, in seconds after an instant; None where one has not."""
    found = [moment(number, text) for number in range(agents)]
    return None if None in found else sorted(instant - since for instant in found)


def spread(spans):
    return f"first {spans[0]:.1f} s, median {spans[len(spans) // 2]:.1f} s, last {spans[-1]:.1f} s"


def missed():
    count = 0
    for number in range(agents):
        count += sum(source["missed"] + source["failures"] for source in status(number)["sources"])
    return count


def run():
    sh("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.pem; "
       "openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout key.pem -out csr.pem; "
       "printf 'subjectAltName=DNS:localhost\\n' > names; "
       "openssl x509 -req -in csr.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem; "
       "openssl genpkey -algorithm ed25519 -out sign.key")
    key = sh("openssl pkey -in sign.key -pubout").splitlines()[1]
    start([sys.executable, "-B", str(root / "Tests/EndToEndTests/Fixtures/config_server.py"), "0", str(folder)], "port")
    port = wait("a server", 10, lambda: (folder / "port").read_text().strip() or None)
    publish("serial: 1\n")
    for number in range(agents):
        (folder / f"{number}.yaml").write_text(f"""version: 1
agent:
  interval: 1s
  state_dir: {folder}/state-{number}
  control_socket: {folder}/{number}.sock
  remote: {{ url: "https://localhost:{port}/fleet", public_key: "{key}", ca_file: {folder}/ca.pem,
            interval: {interval}s, probation: {probation}s }}
sources: [{{ id: kernel, plugin: procnet }}]
sinks: [{{ id: local, plugin: file, path: {folder}/{number}.out, rotate: {{ size: 1MiB, keep: 1 }} }}]
""")
        start([sonded, "run", "-c", f"{folder}/{number}.yaml"], f"{number}.log")
    wait("the first is good everywhere", 60 + 2 * interval + probation * 3,
         lambda: moments("remote configuration 1 has proved itself", 0))
    before = missed()

    published = publish("serial: 2\nsources: [{ id: second, plugin: procnet, labels: { which: second } }]\n")
    reached = wait("2 is in force everywhere", interval + 60,
                   lambda: moments("remote configuration 2 is on probation", published))
    print(f"{agents} agents, interval {interval} s: in force after {spread(reached)}", flush=True)
    wait("2 is good everywhere", probation * 3 + 60, lambda: moments("remote configuration 2 has proved itself", 0))

    publish("serial: 3\nsources: [{ id: second, plugin: procnet, labels: { which: second } }]\n"
            f"sinks: [{{ id: bad, plugin: file, path: {folder}/nowhere/out }}]\n")
    wait("3 is taken back everywhere", interval + probation + 90,
         lambda: moments("remote configuration 3 was taken back", 0))
    stays = [moment(number, "remote configuration 3 was taken back") - moment(number, "remote configuration 3 is on")
             for number in range(agents)]
    print(f"a bad one is taken back after {spread(sorted(stays))} on probation of {probation} s", flush=True)
    time.sleep(3)
    states = [status(number)["agent"]["remote"] for number in range(agents)]
    after = missed()
    print(f"in force now: {sorted({str(state['serial']) for state in states})}, "
          f"state: {sorted({state['state'] for state in states})}; collections missed or failed: {after - before}")
    bad = []
    if reached[-1] > interval + work:
        bad.append(f"the last was reached after {reached[-1]:.1f} s")
    if max(stays) > probation + 10:
        bad.append(f"one was bad for {max(stays):.1f} s")
    if after != before:
        bad.append(f"{after - before} collections are missing")
    if any((state["state"], state["serial"]) != ("rolled_back", 2) for state in states):
        bad.append("not all went back to 2")
    requests = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    print(f"{len(requests)} requests, {sum(request['status'] == 304 for request in requests)} of them 304")
    return bad


try:
    failures = run()
finally:
    for child in children:
        child.kill()
    for child in children:
        child.wait()
if failures:
    sys.exit("; ".join(failures) + f"; see {folder}")
subprocess.run(["rm", "-rf", str(folder)])
print("remote: passed")
