#!/usr/bin/env python3
"""Makes VERSION.tar.gz, the state directory that a released agent leaves behind, and VERSION.json, what is in it.

  make.py SONDE

Root only: the machine has no machine-id while it runs, so that the state is at home everywhere. Run it once per release
that changes a format (docs/release.md); what was made is never made again.
"""

import http.server
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ACCEPTED = 6


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes six batches, refuses one for good, and is down from then on."""

    protocol_version = "HTTP/1.1"
    asked, batches = 0, []

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        Receiver.asked += 1
        code = 204 if Receiver.asked <= ACCEPTED else 400 if Receiver.asked == ACCEPTED + 1 else 503
        if code == 204:
            Receiver.batches.append(self.headers["Sonde-Batch"])
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def asked(sonde, folder, *words):
    output = subprocess.run([sonde, *words, "--socket", f"{folder}/s.sock", "--format", "json"], stdout=subprocess.PIPE, check=True)
    return json.loads(output.stdout)


def main(sonde):
    if os.environ.get("SONDE_WITHOUT_MACHINE_ID") != "yes":
        os.execvpe("unshare", ["unshare", "--mount", "sh", "-c", 'mount --bind /dev/null /etc/machine-id && exec "$@"', "sh", sys.executable, "-B", *sys.argv],
                   os.environ | {"SONDE_WITHOUT_MACHINE_ID": "yes"})
    version = subprocess.run([sonde, "version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(f"{HERE}/counting", folder)
        with open(f"{HERE}/sonde.yaml", encoding="utf-8") as file:
            text = file.read().replace("FOLDER", folder).replace("URL", f"http://127.0.0.1:{server.server_port}/")
        with open(f"{folder}/sonde.yaml", "w", encoding="utf-8") as file:
            file.write(text)
        agent = subprocess.Popen([sonde, "run", "-c", f"{folder}/sonde.yaml"])
        while Receiver.asked < ACCEPTED + 2:
            time.sleep(0.1)
        time.sleep(4)
        spool = asked(sonde, folder, "spool", "list")
        agent.terminate()
        if agent.wait() != 0:
            sys.exit("the agent failed")
        facts = {"made": int(time.time()), "delivered": Receiver.batches, "next": spool["sinks"][0]["next"],
                 "waiting": spool["sinks"][0]["waiting"], "dead_letter": spool["dead_letters"][0]["name"]}
        with tarfile.open(f"{HERE}/{version}.tar.gz", "w:gz") as archive:
            archive.add(f"{folder}/state", "state")
        with open(f"{HERE}/{version}.json", "w", encoding="utf-8") as file:
            file.write(json.dumps(facts, indent=2) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
