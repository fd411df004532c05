"""The servers of a row, by how they are started: their URLs, processes and meters."""
import contextlib
import io

from .. import proc
from ..cluster import Cluster, arguments
from ..common import ROOT, Problem, expect, fetch, free_port, jvm
from ..programs import parsed
from ..quota import Quota, throttled
from . import peer_servers

#: As in ./chatflow cluster: the load client also must not derive its threads from the quota.
CLIENT_EYES = ["-XX:ActiveProcessorCount=2"]


def added_up(pages):
    """Adds up the meters of several servers."""
    summed = {}
    for page in pages:
        for name, value in page.items():
            summed[name] = summed.get(name, 0) + value
    return summed


class Fleet:
    """Servers started for this row; the load client uses `urls`."""

    def __init__(self, site, setting, broker):
        self.site, self.setting, self.broker = site, setting, broker
        self.port, self.quotas, self.consumer = free_port(), [], None
        self.start()

    def keys(self):
        """Returns the configuration keys of the servers."""
        return {key: value for key, value in self.setting.items() if key.isupper()}

    def start(self):
        """Starts all servers, on the same ports after end()."""
        where = ["--servers", self.setting["servers"]] if self.setting["servers"] > 1 else ["--port", self.port]
        self.program = self.site.server(
            *where,
            memory=[f"-Xmx{self.setting['heap']}", *self.setting["jvm"].split()], broker=self.broker and self.broker.uri(), **self.keys())

    def end(self):
        self.program.end()

    def stop(self):
        self.limit(0)
        if self.consumer:
            self.consumer.stop()
        self.program.stop()
        for one in self.quotas:
            one.remove()

    def chats(self):
        return self.program.chats

    def urls(self):
        return self.chats() + (["--by-room"] if self.setting["affinity"] == "on" else [])

    def server_pids(self):
        return self.program.pids

    def pids(self):
        """Returns the processes of the row by name."""
        each = {f"server{n}": pid for n, pid in enumerate(self.server_pids())}
        return each | (self.broker.pids if self.broker else {}) | ({"consumer": self.consumer.pid} if self.consumer else {})

    def pages(self):
        """Returns the meters of each server, or of all together."""
        return [self.program.metrics()]

    def consumer_page(self):
        """Returns the meters of the consumer, if there is one."""
        return parsed(fetch(self.api + "/metrics")) if self.consumer else {}

    def rss_kb(self):
        return sum(map(proc.rss_kb, self.server_pids()))

    def record(self, store):
        """Starts the standalone consumer after the servers."""
        if store:
            self.consumer = self.site.consumer(self.broker.uri(), store, options=jvm("CONSUMER"))
            self.api = self.consumer.api

    def limit(self, cpu):
        """Sets equal CPU quotas for all servers; 0 removes them."""
        pids = self.server_pids()
        if cpu and not self.quotas:
            for pid in pids:
                self.quotas.append(Quota(f"chatflow-bench-{pid}", cpu))
                self.quotas[-1].take(pid)
        for quota in self.quotas:
            quota.limit(cpu or None)
            quota.prefer(bool(cpu))
        for n, pid in enumerate(pids if self.quotas else ()):
            proc.pin(pid, {n % proc.CORES} if cpu else set(range(proc.CORES)))

    def throttled(self):
        """Returns (periods, throttled periods) of all servers."""
        return tuple(map(sum, zip(*(throttled(one.directories) for one in self.quotas)))) if self.quotas else (0, 0)


class Stock(Fleet):
    """A stock Tomcat with the WAR."""

    def start(self):
        self.program = self.site.tomcat(self.broker.uri(), port=self.port, CATALINA_OPTS=f"-Xmx{self.setting['heap']}", **self.keys())

    def chats(self):
        return [self.program.chat]

    def server_pids(self):
        return [self.program.pid]

    def pages(self):
        return [{}]


class Clustered(Fleet):
    """The stock Tomcats of ./chatflow cluster, with a balancer if the row has one."""

    def start(self):
        options = arguments(
            ["--directory", str(ROOT / "target/bench"), "start", str(self.setting["servers"]), "--broker", self.broker.uri(),
             "--balancer", self.setting["balancer"], "--affinity", "shard" if self.setting["affinity"] == "on" else "none",
             "--port", str(self.setting["port"]), *(word for key, value in self.keys().items() for word in ("--set", f"{key}={value}"))])
        options.directory.mkdir(parents=True, exist_ok=True)
        self.cluster = self.program = Cluster(options.directory)
        with contextlib.redirect_stdout(io.StringIO()):
            self.cluster.start(options)
        self.servers = [self.cluster.pid(number) for number in self.cluster.numbers()]

    def stop(self):
        with contextlib.redirect_stdout(io.StringIO()):
            super().stop()

    def chats(self):
        return self.cluster.urls()

    def urls(self):
        return super().urls() if self.setting["balancer"] == "none" else [f"ws://127.0.0.1:{self.setting['port']}/chat"]

    def server_pids(self):
        return self.servers

    def pids(self):
        balanced = self.setting["balancer"] != "none"
        return super().pids() | ({"balancer": self.cluster.balancer_pid()} if balanced else {})

    def pages(self):
        return [parsed(fetch(self.cluster.admin(number) + "/metrics", timeout=30)) for number in self.cluster.numbers()]


class Remote(Fleet):
    """The first servers of --set hosts=CHAT=ADMIN,CHAT=ADMIN, on other machines."""

    def start(self):
        self.hosts = [self._host(text) for text in self.setting["hosts"].split(",")][:self.setting["servers"]]
        expect(len(self.hosts) == self.setting["servers"], f"{self.setting['servers']} servers are needed; --set hosts lists {len(self.hosts)}")

    @staticmethod
    def _host(text):
        chat, _, admin = text.partition("=")
        if not (chat.startswith("ws") and admin.startswith("http")):
            raise Problem(f"--set hosts must be ws://HOST:8080/chat=http://HOST:8081, separated by commas, found {text}")
        return chat, admin.rstrip("/") + "/metrics"

    def stop(self):
        """Leaves the servers running."""

    def chats(self):
        return [chat for chat, _ in self.hosts]

    def server_pids(self):
        return []

    def pages(self):
        return [parsed(fetch(admin, timeout=30)) for _, admin in self.hosts]


class Peer(Fleet):
    """A small server of another system from infra/peers."""

    def start(self):
        self.program, self.port = peer_servers.start(self.site, self.setting["form"])

    def chats(self):
        return [f"ws://127.0.0.1:{self.port}"]

    def server_pids(self):
        return [self.program.pid]

    def pages(self):
        return [{}]


FORMS = {"launcher": Fleet, "tomcat": Stock, "cluster": Clustered, "hosts": Remote}


def start(site, setting, broker):
    """Returns the fleet of a row; `broker` returns the benchmark's RabbitMQ on demand."""
    form = FORMS.get(setting["form"], Peer)
    needs_broker = form in (Fleet, Stock, Clustered) and setting["broker"] == "rabbitmq"
    return form(site, setting, broker() if needs_broker else None)
