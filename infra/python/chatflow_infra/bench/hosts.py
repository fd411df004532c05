"""The rows of scaling on machines of their own: servers that run there already, the load client here."""
from .. import chart
from ..common import Problem, fetch
from ..programs import Site, parsed, total
from . import figures
from .fleet import load
from .measured import client_row
from .report import Report
from .scaling import FROM_CLIENTS, MEMBERS, ROOMS, added_up, cases, further, named

#: What a server's process has used of its machine's CPU.
CPU = "process_cpu_time_ns_total"
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


def hosts(options):
    """The first server alone, the first two, and so on by --servers; whoever is not in a row stays at rest."""
    all_hosts = [Host(text) for text in options.hosts.split(",")]
    counts = [count for count in map(int, options.servers.split(",")) if count <= len(all_hosts)]
    report = Report("scaling-hosts", COLUMNS,
                    f"{len(all_hosts)} servers on machines of their own, the client here; {ROOMS} rooms of {MEMBERS}, "
                    f"{options.messages} messages a user and server")
    with Site() as site:
        for _ in range(options.repeat):
            single = None
            for number in counts:
                for _way, affinity in cases("hosts", number):
                    row = _row(site, all_hosts[:number], affinity, options)
                    single = single or (row if number == 1 else None)
                    report.window(dict(row, servers=number, affinity=affinity,
                                       ratio=figures.ratio(row["deliveries"], single and single["deliveries"])))
    rows = report.medians(("servers", "affinity"), [name for name, _ in COLUMNS[2:-1]])
    report.chart("scaling-hosts", chart.bars("Servers on machines of their own", "deliveries/s", [
        (f"{number} server{'s' if number > 1 else ''}", {named(row): row["deliveries"] for row in rows if row["servers"] == number})
        for number in counts]))
    return report.finish()


def _row(site, used, affinity, options):
    where = [host.chat for host in used] + (["--by-room"] if affinity == "on" else [])
    users = ["--rooms", ROOMS, "--room-size", MEMBERS, "--wait", "60s"]
    load(site, [*users, "--messages", options.warm], where)
    before = added_up(host.metrics() for host in used)
    ran = load(site, [*users, "--messages", options.messages * len(used), *(["--broker", options.observe] if options.observe else [])], where)
    after = added_up(host.metrics() for host in used)
    cpu = dict(server=(total(after, CPU) - total(before, CPU)) / 1e9, broker=0)
    if total(after, *FROM_CLIENTS) == total(before, *FROM_CLIENTS):
        raise Problem("the servers count no messages of the client: does each --hosts pair name one server?")
    return dict(client_row(ran, cpu, before, after, {}), **further(ran, cpu, before, after))
