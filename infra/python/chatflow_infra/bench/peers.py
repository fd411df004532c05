"""ChatFlow beside its peers: one driver plays the same rooms against servers of several protocols, which take turns."""
from dataclasses import dataclass
from urllib.parse import urlsplit

from .. import chart, proc
from ..common import Problem, Skipped, expect
from ..programs import Site
from . import peer_servers
from .measured import Driver
from .report import Report
from .whole import broker_of, named, server_of

#: ChatFlow's own, by their brokers.
OWN = {"chatflow-embedded": "embedded", "chatflow-rabbitmq": "rabbitmq"}
SERVERS = [*OWN, *peer_servers.PEERS]
COLUMNS = [
    ("server", "server"), ("p50", "rate: p50 ms"), ("p99", "rate: p99 ms"), ("rate_server", "rate: server µs"),
    ("rate_broker", "rate: broker µs"), ("deliveries", "full: deliveries/s"), ("full_server", "full: server µs"),
    ("full_broker", "full: broker µs"), ("full_driver", "full: driver µs"), ("cores", "full: driver cores"), ("rss", "RSS MiB"),
    ("windows", "windows"), ("verdict", "verdict")]
FIGURES = [name for name, _ in COLUMNS if name not in ("server", "windows", "verdict")] + ["foreign"]
#: It has one thread: above this it may be the limit.
DRIVER_FULL = 0.95


@dataclass(frozen=True)
class Served:
    """A server that runs, and how to speak to it; `broker` is the process of its broker, or None."""

    label: str
    wire: str
    process: object
    port: int
    broker: object = None


def peers(options):
    """All are started and warmed, then each round asks one after the other; what cannot be had is a row that says why."""
    report = Report("peers", COLUMNS, f"{options.rooms} rooms of {options.members}, {options.bytes} bytes a message; rate: "
                    f"{options.rate:,} messages/s for {options.seconds} s; full: {options.window} own messages of each member under way "
                    f"for {options.seconds} s; warmed for {options.settle} s, ChatFlow with -Xmx{options.heap}, {options.repeat} rounds",
                    options.docs)
    names = options.servers.split(",")
    expect(set(names) <= set(SERVERS), f"{options.servers}: there are {', '.join(SERVERS)}")
    with Site() as site:
        driver, servers, lacking = site.keep(Driver()), [], []
        for name in names:
            try:
                servers.append(_start(site, name, options))
                _load(driver, servers[-1], servers, options, "window", options.window, options.settle)
            except Skipped as e:
                lacking.append(dict(server=label(name), verdict=f"not to be had: {e}"))
        for _ in range(options.repeat):
            for served in servers:
                try:
                    report.window(_turn(driver, served, servers, options))
                except Problem as e:  # the others' figures are not lost for that
                    report.window(dict(server=served.label, verdict=str(e)))
    rows = report.medians(("server",), FIGURES)
    _charts(report, rows, options)
    report.rows = rows + lacking
    return report.finish()


def label(name):
    return name if name in OWN else peer_servers.PEERS[name].label(name)


def _start(site, name, options):
    if name in OWN:
        broker = broker_of(site, OWN[name])
        server = server_of(site, broker, options)
        return Served(f"ChatFlow, {named(broker)}", "chatflow", server, urlsplit(server.chat).port, broker)
    process, port = peer_servers.start(site, name)
    return Served(label(name), peer_servers.PEERS[name].wire, process, port)


def _turn(driver, served, servers, options):
    rate, rate_cpu = _load(driver, served, servers, options, "rate", options.rate, options.seconds)
    full, full_cpu = _load(driver, served, servers, options, "window", options.window, options.seconds)
    return dict(
        server=served.label, p50=rate["p50"], p99=rate["p99"], rate_server=rate_cpu["server"], rate_broker=rate_cpu["broker"],
        deliveries=full["deliveries"] / max(full["seconds"], 1e-9), full_server=full_cpu["server"], full_broker=full_cpu["broker"],
        full_driver=full_cpu["driver"], cores=full_cpu["cores"], rss=full_cpu["rss"],
        foreign=max(rate_cpu["foreign"], full_cpu["foreign"]), verdict=verdict(rate, full, full_cpu["cores"]))


def _load(driver, served, servers, options, pace, figure, seconds):
    """One load with connections of its own: what the driver tells, and the CPU in µs a delivery."""
    before = proc.descriptors(served.process.pid)
    opened = driver.ask("open", served.wire, "127.0.0.1", served.port, options.rooms, options.members, options.bytes)
    expect(not opened["failure"], f"{served.label}: {opened['failure']}")
    window = proc.Window(driver=driver.pid, **pids(servers))
    told = driver.ask(pace, figure, seconds)
    _, cpu, foreign = window.close()
    each = 1e6 / max(1, told["deliveries"])
    broker = cpu[f"{served.label} broker"] * each if served.broker else None
    rss = proc.rss_kb(served.process.pid) / 1024
    proc.await_settled(served.process.pid, before)
    return told, dict(server=cpu[served.label] * each, broker=broker, driver=cpu["driver"] * each,
                      cores=cpu["driver"] / max(told["seconds"], 1e-9), rss=rss, foreign=foreign)


def pids(servers):
    """All that runs for this, by name: who waits for his turn is nobody's neighbour."""
    own = {served.label: served.process.pid for served in servers}
    return own | {f"{served.label} broker": served.broker.pid for served in servers if served.broker}


def verdict(rate, full, cores):
    """`exact` when every member got every message of its room once and in its sender's order, under both loads."""
    wrong = "; ".join(filter(None, (faults("at the rate", rate), faults("as fast as can be", full))))
    return wrong or ("exact, driver at its limit" if cores > DRIVER_FULL else "exact")


def faults(when, told):
    """What was wrong with a load, or nothing."""
    counted = [f"{told[name]:,} {words}" for name, words in
               (("missing", "missing"), ("misordered", "out of order"), ("repeated", "repeated")) if told[name]]
    said = ", ".join([*counted, *filter(None, [told["failure"]])])
    return f"{when} of {told['deliveries'] + told['missing']:,}: {said}" if said else ""


def _charts(report, rows, options):
    for name, title, unit, figures in (
            ("deliveries", "As fast as can be", "deliveries/s", {"deliveries": "deliveries/s"}),
            ("latency", f"{options.rate:,} messages/s, each to {options.members}: from the due time", "ms", {"p50": "p50", "p99": "p99"}),
            ("cpu", "CPU as fast as can be", "µs a delivery", {"full_server": "server", "full_broker": "broker", "full_driver": "driver"})):
        groups = [(row["server"], {series: row[figure] for figure, series in figures.items()}) for row in rows]
        report.chart(f"peers-{name}", chart.bars(title, unit, groups))
