"""The peers: small servers of other systems, from infra/peers; installed by their package's ordinary client when first asked for."""
import hashlib
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from ..common import ROOT, Problem, Skipped, call, free_port, java, listens, need, wait_until

SOURCES, INSTALLED = ROOT / "infra/peers", ROOT / "target/peers"
#: An install that takes longer is none: nobody answers.
INSTALL_SECONDS = 600
#: Written when an install is done: of which sources it is.
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
    """`pinned` is a file and how its version stands there; `command` are words, a path among them begins with ./"""

    name: str
    wire: str
    install: Callable
    pinned: tuple
    command: tuple

    def label(self, name):
        file, pattern = self.pinned
        return f"{self.name} {re.search(pattern, (SOURCES / name / file).read_text(encoding='utf-8'))[1]}"


#: By the folder of each.
PEERS = {
    "bun": Peer("Bun", "plain", _npm, ("package.json", r'"bun": "([^"]+)"'), ("./node_modules/.bin/bun", "./server.js")),
    "nats": Peer("NATS", "nats", _pip, ("requirements.txt", r"==(\S+)"), ("./lib/bin/nats-server", "-c", "./nats.conf")),
    "ws": Peer("Node with ws", "plain", _npm, ("package.json", r'"ws": "([^"]+)"'), ("node", "./server.js")),
    "socket.io": Peer("Socket.IO", "socket.io", _npm, ("package.json", r'"socket.io": "([^"]+)"'), ("node", "./server.js")),
    "spring": Peer("STOMP of Spring Boot", "stomp", _maven, ("pom.xml", r"starter-parent</artifactId>\s*<version>([^<]+)"),
                   ("java", "-jar", "./target/peer.jar")),
}


def fingerprint(directory):
    """Of the names and contents of all files below."""
    digest = hashlib.sha256()
    for file in sorted(path for path in directory.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(directory)} {file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def installed(name):
    """Where a peer is installed from its present sources; Skipped, with the reason, when it cannot be had."""
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
    """What went wrong, in a line that fits into a table: the first that says so, without addresses."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = next((line for line in lines[1:] if re.search(r"(?i)err", line)), lines[0])
    return re.sub(r"\S*://\S*", "…", told).replace("|", "/")[:120]


def start(site, name):
    """A peer that listens: its process and its port."""
    directory, port = installed(name), free_port()
    words = [java() if word == "java" else directory / word if word.startswith("./") else word for word in PEERS[name].command]
    process = site.start(name, *words, PEER_PORT=port)
    wait_until(lambda: listens(port) or process.process.poll() is not None, f"{name} listens", 60)
    if process.process.poll() is not None:
        raise Problem(f"{name} ended:\n{process.text()[-1000:]}")
    return process, port
