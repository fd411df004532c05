"""The rows of scaling on machines of their own: servers that run there already, the load client here."""
import time

from .. import chart
from ..common import Problem, counted, fetch
from ..programs import Site, parsed, total
from . import figures
from .fleet import load
from .measured import client_row
from .report import Report
from .scaling import FROM_CLIENTS, MEMBERS, ROOMS, WARM_RUNS, added_up, further, named

#: What a server's process has used of its machine's CPU.
CPU = "process_cpu_time_ns_total"
#: So long a server goes on reading a shard that nobody of its own uses any more (ReaderConfig.LINGER), and a little longer.
LINGER_SECONDS = 10 * 60 + 20
COLUMNS = [
    ("servers", "servers"), ("affinity", "affinity"), ("deliveries", "deliveries/s"), ("ratio", "ratio"), ("server", "servers µs a delivery"),
    ("message", "servers µs a message"), ("frames", "frames/write"), ("flight", "messages/flight"), ("confirm", "confirm ms"),
    ("lag", "lag p99 ≤ ms"), ("client", "client µs a delivery"), ("seconds", "s"), ("verdict", "verdict"),
]


class Host:
    """A server somewhere: where clients go, and where it tells its figures."""

    def __init__(self, text):
        self.chat, _, admin = text.partition("=")
        if not (self.chat.startswith("ws") and admin.startswith("http")):
            raise Problem(f"--hosts takes ws://HOST:8080/chat=http://HOST:8081, with commas between servers, not {text}")
        self.metrics_url = admin.rstrip("/") + "/metrics"

    def metrics(self):
        return parsed(fetch(self.metrics_url, timeout=30))


def in_order(counts):
    """(servers, affinity) of a round's rows: a server goes on reading what it has once read, so who reads least comes first."""
    return [(number, "on") for number in sorted(counts, reverse=True)] + [(number, "off") for number in sorted(counts) if number > 1]


def hosts(options):
    """For each number of --servers so many of the first ones, by room and in turn; whoever is not in a row stays at rest."""
    all_hosts = [Host(text) for text in options.hosts.split(",")]
    counts = [count for count in map(int, options.servers.split(",")) if count <= len(all_hosts)]
    report = Report("scaling-hosts", COLUMNS,
                    f"{len(all_hosts)} servers on machines of their own, the client here; {ROOMS} rooms of {MEMBERS}, "
                    f"{options.messages} messages a user and server")
    with Site() as site:
        for done in range(options.repeat):
            if done:
                print(f"  waits {LINGER_SECONDS // 60} minutes: until then servers read what nobody there uses any more", flush=True)
                time.sleep(LINGER_SECONDS)
            for row in _round(site, all_hosts, counts, options):
                report.window(row)
    rows = report.medians(("servers", "affinity"), [name for name, _ in COLUMNS[2:-1]])
    report.chart("scaling-hosts", chart.bars("Servers on machines of their own", "deliveries/s", [
        (counted(number, "server"), {named(row): row["deliveries"] for row in rows if row["servers"] == number})
        for number in counts]))
    return report.finish()


def _round(site, all_hosts, counts, options):
    rows = [dict(_row(site, all_hosts[:number], affinity, options), servers=number, affinity=affinity) for number, affinity in in_order(counts)]
    single = next((row["deliveries"] for row in rows if row["servers"] == 1), None)
    return [dict(row, ratio=figures.ratio(row["deliveries"], single)) for row in sorted(rows, key=lambda row: row["servers"])]


def _row(site, used, affinity, options):
    where = [host.chat for host in used] + (["--by-room"] if affinity == "on" else [])
    users = ["--rooms", ROOMS, "--room-size", MEMBERS, "--wait", "60s"]
    for _ in range(WARM_RUNS):
        load(site, [*users, "--messages", options.warm * len(used)], where)
    before = added_up(host.metrics() for host in used)
    ran = load(site, [*users, "--messages", options.messages * len(used), *(["--broker", options.observe] if options.observe else [])], where)
    after = added_up(host.metrics() for host in used)
    cpu = dict(server=(total(after, CPU) - total(before, CPU)) / 1e9, broker=0)
    if total(after, *FROM_CLIENTS) == total(before, *FROM_CLIENTS):
        raise Problem("the servers count no messages of the client: does each --hosts pair name one server?")
    return dict(client_row(ran, cpu, before, after, {}), **further(ran, cpu, before, after))
