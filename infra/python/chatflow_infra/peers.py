"""Opens many connections on plain sockets, with as much HTTP and WebSocket as a check needs."""
import contextlib
import json
import resource
import socket
import struct
from urllib.parse import urlsplit

#: Part of a header of the length that all servers and balancers accept.
HALF_HEAD = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Padding: " + b"x" * 3000
PATIENCE = 30


def allow_files(count):
    """Raises this process's limit of open files, if necessary and allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count if hard == resource.RLIM_INFINITY else min(count, hard), hard))


class Peers(contextlib.ExitStack):
    """Connections that are closed at the end."""

    def __init__(self, url):
        super().__init__()
        where = urlsplit(url)
        self.address = where.hostname, where.port
        self.sockets = []

    def connect(self, source=None):
        """Opens another connection from a local address."""
        peer = socket.create_connection(self.address, PATIENCE, source_address=source and (source, 0))
        self.sockets.append(self.enter_context(peer))
        return peer

    def half_heads(self, count):
        """Opens `number` requests with incomplete headers; rejected ones do not count."""
        for _ in range(count):
            with contextlib.suppress(ConnectionError):
                self.connect().sendall(HALF_HEAD)

    def join(self, room, user, source=None):
        """Joins a room; returns the HTTP status or close code of a failure, or 0."""
        peer = self.connect(source)
        with contextlib.suppress(ConnectionError):  # a rejected connection may be closed, but its answer can still be read
            peer.sendall(f"GET /chat/{room} HTTP/1.1\r\nHost: {self.address[0]}:{self.address[1]}\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                         "Sec-WebSocket-Version: 13\r\n\r\n".encode())
            stream = peer.makefile("rb")
            status = int((stream.readline().split() or [b"", b"0"])[1])
            while stream.readline().strip():
                pass
            if status != 101:
                return status
            text = json.dumps({"messageType": "JOIN", "userId": str(user), "username": f"user{user}", "message": "",
                               "timestamp": "2026-01-01T00:00:00Z"}).encode()
            with contextlib.suppress(ConnectionError):
                peer.sendall(b"\x81\xfe" + struct.pack(">H", len(text)) + bytes(4) + text)
            head = stream.read(2)
            return struct.unpack(">H", stream.read(2))[0] if head[:1] == b"\x88" else 0
        return 0
