"""broker.py [CERTIFICATE KEY [AUTHORITY]]: as much of a Kafka broker as refuses a password, over TLS where it has a certificate.

Prints its port. Prints the bytes of each SASL exchange as hexadecimal digits, and repeats them in its refusal, as a careless broker
might; with an authority it wants a client certificate.
"""

import socket
import ssl
import struct
import sys
import threading

API_VERSIONS, SASL_HANDSHAKE, SASL_AUTHENTICATE = 18, 17, 36


def text(words):
    words = words.encode()
    return struct.pack(">h", len(words)) + words


def answer(api, version, body):
    if api == API_VERSIONS and version > 0:
        return struct.pack(">hi", 35, 0)
    if api == API_VERSIONS:
        apis = [(0, 0, 7), (3, 0, 4), (API_VERSIONS, 0, 0), (SASL_HANDSHAKE, 0, 1), (22, 0, 1), (SASL_AUTHENTICATE, 0, 0)]
        return struct.pack(">hi", 0, len(apis)) + b"".join(struct.pack(">hhh", *entry) for entry in apis)
    if api == SASL_HANDSHAKE:
        return struct.pack(">hi", 0, 1) + text("PLAIN")
    if api == SASL_AUTHENTICATE:
        print(body[4:].hex(), flush=True)
        said = body[4:].split(b"\0")[-1].decode()
        return struct.pack(">h", 58) + text(f"wrong password '{said}'\x1b[31m") + struct.pack(">i", 0)
    return None


def serve(connection):
    try:
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        stream = connection.makefile("rb")
        while head := stream.read(4):
            request = stream.read(struct.unpack(">i", head)[0])
            api, version, number, length = struct.unpack(">hhih", request[:10])
            body = answer(api, version, request[10 + max(length, 0):])
            if body is None:
                break
            connection.sendall(struct.pack(">ii", len(body) + 4, number) + body)
    except (OSError, ssl.SSLError, struct.error):
        pass
    connection.close()


context = None
if len(sys.argv) > 2:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    if len(sys.argv) > 3:
        context.load_verify_locations(sys.argv[3])
        context.verify_mode = ssl.CERT_REQUIRED
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
