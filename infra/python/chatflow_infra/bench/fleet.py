"""The servers of a row, in the forms in which they can be started: where clients go, which processes they are, what they count."""
import contextlib
import io

from .. import proc
from ..cluster import Cluster, arguments
from ..common import ROOT, Problem, expect, fetch, free_port, jvm
from ..programs import parsed
from ..quota import Quota, throttled
from . import peer_servers

#: As ./chatflow cluster starts its servers: the load client, too, is not to choose its threads by the quota it finds.
CLIENT_EYES = ["-XX:ActiveProcessorCount=2"]


def added_up(pages):
    """The meters of several servers together."""
    summed = {}
    for page in pages:
        for name, value in page.items():
            summed[name] = summed.get(name, 0) + value
    return summed


class Fleet:
    """Servers that were started for this row; `urls` are where the load client goes."""

    def __init__(self, site, setting, broker):
        self.site, self.setting, self.broker = site, setting, broker
        self.port, self.quotas, self.consumer = free_port(), [], None
        self.start()

    def keys(self):
        """Configuration keys of the servers."""
        return {key: value for key, value in self.setting.items() if key.isupper()}

    def start(self):
        """Starts all servers; again on the same port after end()."""
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
        """The processes of the row by name."""
        each = {f"server{n}": pid for n, pid in enumerate(self.server_pids())}
        return each | (self.broker.pids if self.broker else {}) | ({"consumer": self.consumer.pid} if self.consumer else {})

    def pages(self):
        """The meters of each server, or of all together."""
        return [self.program.metrics()]

    def consumer_page(self):
        """The meters of the consumer, if there is one."""
        return parsed(fetch(self.api + "/metrics")) if self.consumer else {}

    def rss_kb(self):
        return sum(map(proc.rss_kb, self.server_pids()))

    def record(self, store):
        """The standalone consumer next to the servers, once they are there."""
        if store:
            self.consumer = self.site.consumer(self.broker.uri(), store, options=jvm("CONSUMER"))
            self.api = self.consumer.api

    def limit(self, cpu):
        """Equal shares of the CPU for all servers from now on; 0 ends them."""
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
        """(periods, throttled periods) of all servers."""
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
    """The stock Tomcats of ./chatflow cluster, with its balancer where the row has one."""

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
    """The first so many of the servers that --set hosts=CHAT=ADMIN,CHAT=ADMIN names, on machines of their own."""

    def start(self):
        self.hosts = [self._host(text) for text in self.setting["hosts"].split(",")][:self.setting["servers"]]
        expect(len(self.hosts) == self.setting["servers"], f"{self.setting['servers']} servers are needed; --set hosts names {len(self.hosts)}")

    @staticmethod
    def _host(text):
        chat, _, admin = text.partition("=")
        if not (chat.startswith("ws") and admin.startswith("http")):
            raise Problem(f"--set hosts=ws://HOST:8080/chat=http://HOST:8081 names servers, with commas between them, not {text}")
        return chat, admin.rstrip("/") + "/metrics"

    def stop(self):
        """They go on."""

    def chats(self):
        return [chat for chat, _ in self.hosts]

    def server_pids(self):
        return []

    def pages(self):
        return [parsed(fetch(admin, timeout=30)) for _, admin in self.hosts]


class Peer(Fleet):
    """A small server of another system, from its folder in infra/peers."""

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
    """`broker` gives the benchmark's RabbitMQ when it is needed."""
    form = FORMS.get(setting["form"], Peer)
    needs_broker = form in (Fleet, Stock, Clustered) and setting["broker"] == "rabbitmq"
    return form(site, setting, broker() if needs_broker else None)
