"""One, two, four stock Tomcats with equal CPU quotas, and without: what each further server adds.

The servers are those of ./chatflow cluster. They start and get warm without a quota, each with the same work; then
servers, broker and client get their shares. The client sends the usual rooms, so many messages a user and server.
"""
import contextlib
import io
import json
import time

from .. import chart, proc
from ..cluster import Cluster, arguments
from ..common import CLIENT, ROOT, counted, fetch, java, jvm
from ..programs import Site, parsed, total
from ..quota import Quota, throttled
from . import figures, model
from .measured import client_row, histogram_quantile
from .report import DOCS, Report

DOCUMENT = DOCS / "scaling.md"
#: A row counts for the servers only if neither broker nor client was near its own share.
BUSY = 0.8
#: As ./chatflow cluster starts its servers: the client as well is not to choose by the quota it finds.
CLIENT_EYES = ["-XX:ActiveProcessorCount=2"]
#: After the warm-up: compilers finish what waits for them, which would otherwise be paid out of the quota.
SETTLE_SECONDS = 5
#: Rooms and members of the default workload.
ROOMS, MEMBERS = 20, 50
#: Runs of a row's servers before it.
WARM_RUNS = 2
COLUMNS = [
    ("servers", "servers"), ("way", "clients come"), ("affinity", "affinity"), ("deliveries", "deliveries/s"),
    ("ratio", "ratio"), ("expected", "model"), ("server", "servers µs a delivery"), ("frames", "frames/write"),
    ("flight", "messages/flight"), ("confirm", "confirm ms"), ("broker_message", "broker µs a message"), ("balancer", "balancer µs a delivery"),
    ("server_share", "servers % of share"), ("least_share", "least %"), ("broker_share", "broker %"), ("client_share", "client %"),
    ("throttled", "nr_throttled"), ("held", "% of periods"), ("lag", "lag p99 ≤ ms"), ("seconds", "s"),
    ("windows", "windows"), ("verdict", "verdict"),
]
NAMES = [name for name, _ in COLUMNS[3:-2] if name != "expected"] \
    + ["foreign", "message", *model.NAMES]
SETTING = ("servers", "way", "affinity")
FROM_CLIENTS = ("chatflow_messages_total", 'direction="in",peer="client"')
#: A server that took less than this part of a fair share of the messages was left out by mistake.
FAIR = 0.8


class Servers:
    """N servers of the local cluster, and what they count together."""

    def __init__(self, number, broker, balancer, settings, port):
        options = arguments(
            ["--directory", str(ROOT / "target/scaling"), "start", str(number), "--broker", broker.uri(),
             "--balancer", balancer, "--port", str(port), *(word for one in settings for word in ("--set", one))])
        options.directory.mkdir(parents=True, exist_ok=True)
        self.cluster = Cluster(options.directory)
        with contextlib.redirect_stdout(io.StringIO()):
            self.cluster.start(options)
        self.pids = [self.cluster.pid(n) for n in self.cluster.numbers()]
        balanced = self.cluster.state["balancer"] != "none"
        self.measured = dict(broker.pids, balancer=self.cluster.balancer_pid() if balanced else None,
                             **{f"server{n}": pid for n, pid in enumerate(self.pids)})
        self.quotas = []

    def limit(self, cpu):
        """Equal shares from now on; None ends them."""
        if cpu and not self.quotas:
            for pid in self.pids:
                self.quotas.append(Quota(f"chatflow-scaling-{pid}", cpu))
                self.quotas[-1].take(pid)
        for one in self.quotas:
            one.limit(cpu)
            one.prefer(cpu is not None)
        for n, pid in enumerate(self.pids):
            proc.pin(pid, {n % proc.CORES} if cpu else set(range(proc.CORES)))

    def throttled(self):
        """(periods, throttled periods) of all servers."""
        each = [throttled(one.directories) for one in self.quotas]
        return tuple(map(sum, zip(*each))) if each else (0, 0)

    def metrics(self):
        """What the servers count, summed up; and each one's messages from clients in self.taken."""
        pages = [parsed(fetch(self.cluster.admin(number) + "/metrics", timeout=30)) for number in self.cluster.numbers()]
        self.taken = [total(page, *FROM_CLIENTS) for page in pages]
        return added_up(pages)

    def urls(self, way, affinity):
        """Where the client goes; through the balancer, which places rooms, after it has been told how."""
        if way == "direct":
            return self.cluster.urls() + (["--by-room"] if affinity == "on" else [])
        wanted = "shard" if affinity == "on" else "none"
        if self.cluster.state["affinity"] != wanted:
            self.cluster.balance(way, wanted)
        return [f"ws://127.0.0.1:{self.cluster.state['port']}/chat"]

    def stop(self):
        self.limit(None)
        with contextlib.redirect_stdout(io.StringIO()):
            self.cluster.stop()
        for one in self.quotas:
            one.remove()


def added_up(pages):
    """What several servers count together."""
    summed = {}
    for page in pages:
        for name, value in page.items():
            summed[name] = summed.get(name, 0) + value
    return summed


class Shares:
    """Groups of broker and client, which are there for the whole benchmark."""

    def __init__(self, broker, broker_cpu, client_cpu):
        self.cpu = dict(broker=broker_cpu, client=client_cpu)
        self.groups = {}
        try:
            for name, cpu in self.cpu.items():
                self.groups[name] = Quota(f"chatflow-scaling-{name}-{broker.pid}", cpu)
            self.groups["broker"].take(broker.pid)
        except BaseException:
            self.remove()
            raise
        self.limit(False)

    def limit(self, limited):
        for name, group in self.groups.items():
            group.limit(self.cpu[name] if limited else None)
            group.prefer(limited)

    def take(self, pid):
        self.groups["client"].take(pid)

    def remove(self):
        for group in self.groups.values():
            group.remove()


def run(site, servers, shares, server_cpu, where, messages):
    """One run of the load client; server_cpu is None when nothing is limited."""
    before, taken, periods = servers.metrics(), servers.taken, servers.throttled()
    pids = dict(servers.measured, **({} if len(where) == 1 else {"balancer": None}))
    window = proc.Window(**pids)
    children = proc.children_seconds()
    load = site.load(
        where, "--slo", "none", "--wait", "60s", "--connect-rate", "2000", "--timeout", "60s", "--drain", "60s",
        "--rooms", ROOMS, "--room-size", MEMBERS, "--messages", messages,
        program=[java(), *jvm("CLIENT"), *CLIENT_EYES, "-jar", CLIENT])
    shares.take(load.pid)
    trace = proc.Trace(dict(pids, client=load.pid))
    roles = proc.RoleTrace({f"server{n}": pid for n, pid in enumerate(servers.pids)}, model.ROLES)
    trace.start()
    roles.start()
    try:
        ran = load.result(1800)
    finally:
        trace.end()
        roles.end()
    _, _, foreign = window.close(ended=proc.children_seconds() - children)
    after = servers.metrics()
    if ran["verdict"]["exitCode"]:
        kept = ROOT / "results" / f"failed-{load.pid}.json"
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(ran, indent=1))
        print(f"  {ran['verdict']['headline']}: see {kept.relative_to(ROOT)}")
    seconds = ran["rates"]["windowSeconds"]
    cpu = trace.busiest(seconds, "server")
    each = [used for name, used in cpu.items() if name.startswith("server")]
    cpu["server"], least = sum(each), min(each)
    held = [now - then for now, then in zip(servers.throttled(), periods)]
    row = client_row(ran, cpu, before, after, {})
    each_took = [now - then for now, then in zip(servers.taken, taken)]
    if min(each_took) < FAIR * sum(each_took) / len(each_took):
        row["verdict"] = f"FAIL messages by server {each_took}, {row['verdict']}"
    used = {name: cpu[name] / seconds for name in ("server", "broker", "client")}
    return dict(row, foreign=foreign, throttled=held[1] if held[0] else None,
                held=100 * held[1] / held[0] if held[0] else None,
                least_share=100 * least / seconds / server_cpu if server_cpu else None,
                **further(ran, cpu, before, after), **by_role(roles.busiest(seconds, "server"), sum(each_took)),
                **shares_used(used, len(servers.pids), server_cpu, shares.cpu))


def by_role(used, messages):
    """µs a message of all servers together by role, from CPU seconds of "server/role"."""
    roles = dict.fromkeys(model.NAMES, 0)
    for name, seconds in used.items():
        roles[name.split("/")[1]] += seconds / messages * 1e6
    return roles


def further(ran, cpu, before, after):
    """What this benchmark tells beyond a row of the others."""
    deliveries = ran["counts"]["deliveries"] or 1
    messages = total(after, *FROM_CLIENTS) - total(before, *FROM_CLIENTS) or 1
    return dict(
        flight=mean("chatflow_flight_messages", before, after),
        confirm=1000 * mean("chatflow_confirm_seconds", before, after),
        broker_message=cpu["broker"] / messages * 1e6, message=cpu["server"] / messages * 1e6,
        balancer=cpu["balancer"] / deliveries * 1e6 if "balancer" in cpu else None,
        lag=1000 * histogram_quantile("chatflow_log_lag_seconds", before, after, 0.99))


def mean(histogram, before, after):
    """Of what was added, by all servers together."""
    added = {part: total(after, f"{histogram}_{part}") - total(before, f"{histogram}_{part}") for part in ("sum", "count")}
    return added["sum"] / added["count"] if added["count"] else 0


def shares_used(used, servers, server_cpu, others):
    """Per cent of each share; nothing without quotas."""
    if server_cpu is None:
        return {}
    return dict(server_share=100 * used["server"] / (servers * server_cpu),
                broker_share=100 * used["broker"] / others["broker"], client_share=100 * used["client"] / others["client"])


def judged(row):
    """The verdict, and who held the servers back if anybody did."""
    near = [name for name in ("broker", "client") if (row.get(name + "_share") or 0) > 100 * BUSY]
    return row["verdict"] + "".join(f", {name} near its share" for name in near)


def cases(part, number):
    """(way, affinity) of the rows with so many servers."""
    way = "haproxy" if part == "balancer" else "direct"
    return [(way, affinity) for affinity in (["on", "off"] if number > 1 else ["on"])]


def of_servers(options):
    """Settings that all servers have."""
    return [f"CHATFLOW_SHARDS={options.shards}", *options.set]


def scaling(options):
    """Rows with quotas, rows without, rows through a balancer; each part with its own single server."""
    counts = [int(count) for count in options.servers.split(",")]
    with Site() as site:
        broker = site.broker()
        shares = Shares(broker, options.broker_cpu, options.client_cpu)
        site.callback(shares.remove)
        site.callback(broker.stop)  # before its group goes
        return all([_part(site, part, counts, broker, shares, options) for part in options.parts.split(",")])


def _part(site, part, counts, broker, shares, options):
    settings = "without quotas" if part == "free" else \
        f"{options.cpu} core a server, {options.broker_cpu} the broker, {options.client_cpu} the client"
    messages = options.free_messages if part == "free" else options.messages
    report = Report(
        f"scaling-{part}", COLUMNS,
        f"{settings}; 1,000 connections, {messages} messages a user"
        + ("" if part == "free" else " and server") + f", RabbitMQ {broker.version}, -Xmx256m"
        + "".join(f", {one}" for one in of_servers(options)), options.docs, DOCUMENT)
    for _ in range(options.repeat):
        single = None
        for number in counts:
            for way, affinity in cases(part, number):
                row = _row(site, part, number, way, affinity, broker, shares, options)
                single = single or (row if number == 1 else None)
                report.window(dict(row, ratio=figures.ratio(row["deliveries"], single and single["deliveries"]),
                                   verdict=judged(row)))
    return _finish(report, part)


def _row(site, part, number, way, affinity, broker, shares, options):
    """Of so many fresh servers, warm by the same affinity: what a server has once read it reads for minutes."""
    server_cpu, messages = (None, options.free_messages) if part == "free" else (options.cpu, options.messages * number)
    servers = Servers(number, broker, "haproxy" if part == "balancer" else "none", of_servers(options), options.port)
    try:
        for _ in range(WARM_RUNS):
            run(site, servers, shares, None, servers.urls("direct", affinity), options.warm * number)
        time.sleep(SETTLE_SECONDS)
        servers.limit(server_cpu)
        shares.limit(server_cpu is not None)
        row = run(site, servers, shares, server_cpu, servers.urls(way, affinity), messages)
        return dict(row, servers=number, way=way, affinity=affinity)
    finally:
        shares.limit(False)
        servers.stop()


def _finish(report, part):
    rows = report.medians(SETTING, NAMES)
    if part == "quota":
        report.notes.append(model.fill(rows))
    groups = [(counted(number, "server"),
               {name: row["deliveries"] for row in rows for name in [named(row)] if row["servers"] == number})
              for number in dict.fromkeys(row["servers"] for row in rows)]
    title = dict(quota="equal CPU quotas", free="no quotas: the same two cores for all", balancer="through HAProxy, equal quotas")
    report.chart(f"scaling-{part}", chart.bars(f"Servers, {title[part]}", "deliveries/s", groups))
    return report.finish()


def named(row):
    return "room affinity" if row["affinity"] == "on" else "round robin"
