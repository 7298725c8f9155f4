"""Which alerts fire, of which hosts, and since when."""

import json
import time

import lab
import rules


class Vmalert(lab.Server):
    """Evaluates the rules over VictoriaMetrics."""

    program, ready = "vmalert", "/health"

    def __init__(self, directory, victoria):
        super().__init__(directory)
        self.victoria = f"http://127.0.0.1:{victoria.port}"

    def arguments(self):
        # By itself it looks half a minute back, since fresh points may be missing; here they are not.
        return [f"-datasource.url={self.victoria}", f"-remoteWrite.url={self.victoria}", f"-rule={rules.RULES}",
                "-rule.evalDelay=0s", "-notifier.blackhole", f"-httpListenAddr=127.0.0.1:{self.port}"]


class Watch:
    """Notes when each alert was first seen firing, by the engine that evaluates it."""

    def __init__(self, engines):
        self.engines = engines
        self.began = None
        self.fired = {engine: {} for engine in engines}
        self.problems = []

    def begin(self):
        self.began = time.monotonic()

    @property
    def elapsed(self):
        return time.monotonic() - self.began

    def firing(self, name):
        """What an engine says fires now, by alert and host."""
        body = self.engines[name].get("/api/v1/alerts")
        if body is None:
            raise RuntimeError(f"{name} does not answer")
        alerts = [alert for alert in json.loads(body)["data"]["alerts"] if alert["state"] == "firing"]
        return {(alert["labels"]["alertname"], alert["labels"].get("instance", alert["labels"].get("host", ""))): alert
                for alert in alerts}

    def look(self):
        """Asks every engine once."""
        for name in self.engines:
            for key, alert in self.firing(name).items():
                self.note(name, key, alert)

    def note(self, engine, key, alert):
        annotations = alert["annotations"]
        if key in self.fired[engine]:
            return
        self.fired[engine][key] = self.elapsed
        said = {word: annotations.get(word, "") for word in ("summary", "description", "runbook")}
        print(f"  {self.elapsed:5.0f} s  {engine:10}  {key[0]}: {said['summary']}", flush=True)
        for word, text in said.items():
            if not text or "<no value>" in text or "<error" in text:
                self.problems.append(f"{engine}: {key[0]}: {word} reads '{text}'")

    def watch(self, seconds):
        """Looks until so many seconds after the beginning."""
        while self.elapsed < seconds:
            self.look()
            time.sleep(1)

    def ends(self, keys, seconds):
        """Waits until none of these fires any more; those that still do after so many seconds."""
        def left():
            return {(name, *key) for name in self.engines for key in self.firing(name).keys() & keys}
        lab.eventually(lambda: not left(), seconds, 1)
        return [f"{engine}: {alert} of {host} still fires" for engine, alert, host in sorted(left())]

    def judge(self, wanted, limit):
        """What fired that should not, did not that should, or came late."""
        found = list(self.problems)
        for engine, fired in self.fired.items():
            for key in sorted(wanted - fired.keys()):
                found.append(f"{engine}: {key[0]} of {key[1]} did not fire")
            for key in sorted(fired.keys() - wanted):
                found.append(f"{engine}: {key[0]} of {key[1]} fired without a reason")
            found += [f"{engine}: {key[0]} of {key[1]} fired after {after:.0f} s"
                      for key, after in fired.items() if key in wanted and after > limit]
        return found
