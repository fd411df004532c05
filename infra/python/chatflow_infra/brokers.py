"""RabbitMQ nodes in networks of their own, of one release whether one or several: infra/rabbitmq/test-cluster."""
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .common import CONSUMER, call, expect, get, java, own_environment
from .programs import RABBITMQ, install_cluster


class Nodes:
    """So many nodes, 1 or 3, gone at the end, data included. Needs root on Debian."""

    def __init__(self, number):
        install_cluster()
        self.number, self.directory = number, Path(tempfile.mkdtemp(prefix="chatflow-nodes-"))
        self.directory.chmod(0o755)  # RabbitMQ runs as a user of its own
        told = self._script("start", "--nodes", number)
        where = dict(line.split("=", 1) for line in told.split() if "=" in line)
        self.amqp, self.management = (re.sub("//.*@", "//", where[name]) for name in ("amqp", "management"))

    def _script(self, verb, *arguments):
        return call(RABBITMQ / "test-broker", verb, self.directory / "nodes", *arguments, timeout=1200)

    def uri(self):
        """Of all nodes, for a program."""
        return self.amqp.replace("//", "//guest:guest@")

    @property
    def pids(self):
        """The Erlang VM of each node by its name."""
        net = re.search(r"net=(\d+)", (self.directory / "nodes/cluster").read_text())[1]
        return {f"broker{n}": self._vm(f"chatflow-{net}-{n}") for n in range(1, self.number + 1)}

    @staticmethod
    def _vm(network):
        inside = map(int, call("ip", "netns", "pids", network).split())
        return min(pid for pid in inside if Path(f"/proc/{pid}/comm").read_text().startswith("beam"))

    @property
    def data(self):
        """Where each node keeps what it must not lose."""
        return [self.directory / f"nodes/node-{n}/data" for n in range(1, self.number + 1)]

    def ask(self, path, **how):
        """An answer of the management API; None where it has no words for it."""
        status, text = get(f"{self.management}/api/{path}", user="guest:guest", timeout=60, **how)
        expect(status // 100 == 2, f"{path}: {status or 'no answer'} {text[:300]}")
        return json.loads(text) if text else None

    @property
    def version(self):
        return self.ask("overview")["rabbitmq_version"]

    def ctl(self, *arguments):
        return self._script("ctl", *arguments)

    def settle(self):
        """Waits until all nodes have caught up with each other."""
        self._script("settle")

    def stop(self):
        subprocess.run([RABBITMQ / "test-broker", "remove", self.directory / "nodes"], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)


def change_shards(uri, number):
    """./chatflow shards: what it said; Problem when it was refused."""
    return call(java(), "-jar", CONSUMER, "shards", number, "--yes", environment=own_environment(CHATFLOW_AMQP_URI=uri))
