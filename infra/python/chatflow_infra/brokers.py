"""RabbitMQ nodes of one release in separate networks, run by infra/rabbitmq/test-cluster."""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .common import CONSUMER, call, java, own_environment
from .programs import RABBITMQ, install_cluster


class Nodes:
    """One or three nodes, removed at the end with their data. Needs root on Debian."""

    def __init__(self, number):
        install_cluster()
        self.number, self.directory = number, Path(tempfile.mkdtemp(prefix="chatflow-nodes-"))
        self.directory.chmod(0o755)  # RabbitMQ runs as another user
        told = self._script("start", "--nodes", number)
        where = dict(line.split("=", 1) for line in told.split() if "=" in line)
        self.amqp, self.management = (re.sub("//.*@", "//", where[name]) for name in ("amqp", "management"))

    def _script(self, verb, *arguments):
        return call(RABBITMQ / "test-broker", verb, self.directory / "nodes", *arguments, timeout=1200)

    def uri(self):
        """Returns the addresses of all nodes for a program."""
        return self.amqp.replace("//", "//guest:guest@")

    def ctl(self, *arguments):
        return self._script("ctl", *arguments)

    def stop(self):
        subprocess.run([RABBITMQ / "test-broker", "remove", self.directory / "nodes"], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)


def change_shards(uri, number):
    """Runs ./chatflow shards and returns its output; raises Problem if it is rejected."""
    return call(java(), "-jar", CONSUMER, "shards", number, "--yes", environment=own_environment(CHATFLOW_AMQP_URI=uri))
