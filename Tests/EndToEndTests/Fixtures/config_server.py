"""Serves one signed configuration over HTTPS, with an ETag, and as wrong as a file beside it says.

usage: config_server.py PORT FOLDER; the folder has cert.pem, key.pem, file (what is served) and mode (one word and an
argument, or nothing). The log of the folder gets one line of JSON per request. PORT 0: any; the first line printed is the
port."""
import hashlib
import http.server
import json
import os
import ssl
import sys
import threading
import time

port, folder = int(sys.argv[1]), sys.argv[2]
lock = threading.Lock()


def read(name, missing=b""):
    try:
        with open(f"{folder}/{name}", "rb") as file:
            return file.read()
    except FileNotFoundError:
        return missing


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        mode = read("mode").decode().split()
        body, word = read("file", None), mode[0] if mode else "whole"
        etag = '"' + hashlib.sha256(body or b"").hexdigest()[:20] + '"'
        status = 200
        if word == "status":
            status, body = int(mode[1]), b"<html>no</html>"
        elif body is None:
            status, body = 404, b"not found"
        elif self.headers.get("If-None-Match") == etag:
            status, body = 304, b""
        with lock, open(f"{folder}/log", "a") as log:
            log.write(json.dumps({
                "time": time.time(), "path": self.path, "status": status,
                "agent": self.headers.get("User-Agent"), "etag": self.headers.get("If-None-Match"),
                "authorization": self.headers.get("Authorization"), "port": self.client_address[1]}) + "\n")
        if word == "hang":
            time.sleep(float(mode[1]))
        self.send_response(status)
        if status == 200:
            self.send_header("ETag", etag)
        if word == "retry":
            self.send_header("Retry-After", mode[1])
        if word == "chunked":
            # Without a length: only what comes says how much it is.
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for _ in range(int(mode[1])):
                self.wfile.write(b"2000\r\n" + b"x" * 8192 + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")
            return
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if word == "truncate":
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", port), Handler)
if os.path.exists(f"{folder}/cert.pem"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
