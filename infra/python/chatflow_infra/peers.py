"""Many peers at once on plain sockets, which speak HTTP and WebSocket no further than a check needs."""
import contextlib
import json
import resource
import socket
import struct
from urllib.parse import urlsplit

#: As long as a head may be for all servers and balancers here, and never the whole of one.
HALF_HEAD = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Padding: " + b"x" * 3000
PATIENCE = 30


def allow_files(count):
    """Raises this process's own limit of open files; as it is where it is enough, or where the system allows no more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count if hard == resource.RLIM_INFINITY else min(count, hard), hard))


class Peers(contextlib.ExitStack):
    """Connections that are all closed at the end."""

    def __init__(self, url):
        super().__init__()
        where = urlsplit(url)
        self.address = where.hostname, where.port
        self.sockets = []

    def connect(self, source=None):
        """One more connection, from an address of this machine."""
        peer = socket.create_connection(self.address, PATIENCE, source_address=source and (source, 0))
        self.sockets.append(self.enter_context(peer))
        return peer

    def half_heads(self, count):
        """So many requests whose head does not end; who is refused at once has not cost anything."""
        for _ in range(count):
            with contextlib.suppress(ConnectionError):
                self.connect().sendall(HALF_HEAD)

    def join(self, room, user, source=None):
        """A member: what became of it, as HTTP status, close code, or 0 when it is one."""
        peer = self.connect(source)
        with contextlib.suppress(ConnectionError):  # who is refused may be gone already; what it was told is there to be read
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
