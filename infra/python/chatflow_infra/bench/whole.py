"""The whole path: packaged server, load client with proof, a broker; settings take turns."""
import itertools

from .. import chart, proc
from ..programs import Site
from .measured import NEIGHBOURS, run_client, run_client_beside
from .report import Report

COLUMNS = [
    ("seconds", "s"), ("deliveries", "deliveries/s"), ("frames", "frames/write"), ("server", "server µs"),
    ("client", "client µs"), ("broker", "broker µs"), ("allocated", "bytes allocated/delivery"), ("p50", "p50 ms"),
    ("p99", "p99 ms"), ("e2e", "accept→append p99 ≤ ms"), ("lane", "peak in lanes"),
    ("unacked", "peak unacked"), ("log", "peak log KiB"), ("heap", "peak heap MiB"), ("paused", "peak paused"),
    ("threads", "threads"), ("slow", "slow closed"), ("windows", "windows"), ("verdict", "verdict"),
]
NAMES = [name for name, _ in COLUMNS if name not in ("windows", "verdict")] + ["foreign"]
SHORT = [column for column in COLUMNS
         if column[0] in ("deliveries", "frames", "server", "client", "broker", "p50", "p99", "threads", "windows",
                          "verdict")]


def broker_of(site, name):
    return site.broker() if name == "rabbitmq" else None


def named(broker):
    return f"RabbitMQ {broker.version}" if broker else "embedded broker in the server's JVM"


def server_of(site, broker, options, sink="auto", jvm=(), more=(), **settings):
    """A server with the options of this benchmark; the sink `auto` is the server's own choice."""
    if sink != "auto":
        settings["CHATFLOW_SINK"] = sink
    return site.server(*more, memory=["-Xmx" + options.heap, *jvm, *options.jvm.split()], broker=broker and broker.uri(), **settings)


def path(options, client):
    """One run of the load client for each setting, cold or on a warm server."""
    with Site() as site:
        broker = broker_of(site, options.broker)
        report = Report(
            f"path-{options.broker}", [("sink", "sink"), ("window", "W"), ("run", "run"), *COLUMNS],
            f"{named(broker)}, -Xmx{options.heap}, client {' '.join(client) or 'default workload'}, "
            f"{options.repeat} runs each", options.docs)
        windows = options.windows.split(",")
        for _ in range(options.repeat):
            for sink in options.sinks.split(","):
                for window in windows:
                    with server_of(site, broker, options, sink, CHATFLOW_SENDER_WINDOW=window) as server:
                        for run in runs(options.warm):
                            row = run_client(site, server, broker, client)
                            report.window(dict(row, sink=sink, window=int(window), run=run))
        rows = report.medians(("sink", "window", "run"), NAMES)
        if len(windows) == 1:
            groups = [(f"{run} server", {row["sink"]: row["deliveries"] for row in rows if row["run"] == run})
                      for run in dict.fromkeys(row["run"] for row in rows)]
            report.chart(f"path-{options.broker}", chart.bars(f"Whole path, {named(broker)}", "deliveries/s", groups))
        return report.finish()


def runs(warm):
    """The names of a server's first run and so many further ones."""
    return ["cold", "warm", *(f"warm {number}" for number in range(2, warm + 1))][:1 + warm]


def rates(options):
    """Open loop: fixed rates, latency from the time a message was due."""
    wanted = [int(rate) for rate in options.rates.split(",")]
    report = Report(
        "rates", [("with", "broker"), ("sink", "sink"), ("neighbour", "neighbour"), ("rate", "messages/s"),
                  ("lines", "messages/flight"),
                  *(column for column in SHORT if column[0] != "deliveries")],  # the rate is given
        f"open loop, 1,000 connections, 20 rooms of 50, -Xmx{options.heap}, {options.repeat} runs of "
        f"{options.seconds} s each, on a warm server", options.docs)
    for name in options.brokers.split(","):
        with Site() as site:
            broker = broker_of(site, name)
            for sink in options.sinks.split(","):
                with server_of(site, broker, options, sink) as server:
                    _rates(report, site, server, broker, options, wanted, {"with": name, "sink": sink})
    rows = report.medians(("with", "sink", "neighbour", "rate"), [*NAMES, "lines"])
    for figure in ("p50", "p99"):
        groups = [(f"{rate:,} messages/s", {series_name(row): row[figure] for row in rows if row["rate"] == rate}) for rate in wanted]
        report.chart(f"rates-{figure}", chart.bars(f"Open loop: {figure} from the due time, each message shown to 50", "ms", groups))
    return report.finish()


def series_name(row):
    beside = ", neighbour" if row["neighbour"] == "yes" else ""
    return f"{row['with']}, {row['sink']}{beside}"


def _rates(report, site, server, broker, options, wanted, setting):
    users = ["--rooms", options.rooms, "--connect-rate", "2000"]
    run_client(site, server, broker, [*users, "--rate", max(wanted), "--duration", f"{options.settle}s"])
    for _, neighbour, rate in itertools.product(range(options.repeat), NEIGHBOURS[options.neighbour], wanted):
        load = [*users, "--rate", rate, "--warmup", "2s", "--duration", f"{options.seconds + 2}s"]
        row = run_client_beside(neighbour, site, server, broker, load)
        report.window(dict(row, rate=rate, neighbour=neighbour, **setting))
