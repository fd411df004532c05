"""The whole path: packaged server, load client with proof, a broker; settings take turns."""
from . import proc, svg
from .programs import RabbitMq, Server, run_client
from .report import Report

COLUMNS = [
    ("seconds", "s"), ("deliveries", "deliveries/s"), ("frames", "frames/write"), ("server", "server µs"),
    ("client", "client µs"), ("broker", "broker µs"), ("allocated", "bytes allocated/delivery"), ("p50", "p50 ms"),
    ("p99", "p99 ms"), ("e2e", "accept→append p99 ≤ ms"), ("lane", "peak in lanes"), ("depth", "peak in queues"),
    ("unacked", "peak unacked"), ("log", "peak log KiB"), ("heap", "peak heap MiB"), ("paused", "peak paused"),
    ("threads", "threads"), ("slow", "slow closed"), ("windows", "windows"), ("verdict", "verdict"),
]
NAMES = [name for name, _ in COLUMNS if name not in ("windows", "verdict")] + ["foreign"]
SHORT = [column for column in COLUMNS
         if column[0] in ("deliveries", "frames", "server", "client", "broker", "p50", "p99", "threads", "windows",
                          "verdict")]


def broker_of(name):
    return RabbitMq() if name == "rabbitmq" else None


def named(broker):
    return f"RabbitMQ {broker.version}" if broker else "embedded broker in the server's JVM"


def sink_setting(sink):
    """`auto` leaves the choice to the server."""
    return {} if sink == "auto" else {"sink": sink}


def path(options, client):
    """One run of the load client for each setting, cold or on a warm server."""
    broker = broker_of(options.broker)
    try:
        report = Report(
            f"path-{options.broker}", [("sink", "sink"), ("window", "W"), ("run", "run"), *COLUMNS],
            f"{named(broker)}, -Xmx{options.heap}, client {' '.join(client) or 'default workload'}, "
            f"{options.repeat} runs each", options.docs)
        for _ in range(options.repeat):
            for sink in options.sinks.split(","):
                for window in options.windows.split(","):
                    _path(report, broker, options, client, sink, window)
        report.medians(("sink", "window", "run"), NAMES)
        groups = [(run, {row["sink"]: row["deliveries"] for row in report.rows if row["run"] == run})
                  for run in dict.fromkeys(row["run"] for row in report.rows)]
        if len(options.windows.split(",")) == 1:
            report.chart(f"path-{options.broker}",
                         svg.bars(f"Whole path, {named(broker)}", "deliveries/s", "server's first and second run", groups))
        return report.finish()
    finally:
        if broker:
            broker.stop()


def _path(report, broker, options, client, sink, window):
    server = Server(broker, ["-Xmx" + options.heap, *options.jvm.split()], sender_window=window,
                    **sink_setting(sink))
    try:
        for run in ("cold", "warm") if options.warm else ("cold",):
            report.window(dict(run_client(server, broker, client), sink=sink, window=int(window), run=run))
    finally:
        server.stop()


def rates(options):
    """Open loop: fixed rates, latency from the time a message was due."""
    wanted = [int(rate) for rate in options.rates.split(",")]
    report = Report(
        "rates", [("with", "broker"), ("sink", "sink"), ("rate", "messages/s"),
                  *(column for column in SHORT if column[0] != "deliveries")],  # the rate is given
        f"open loop, 1,000 connections, 20 rooms of 50, -Xmx{options.heap}, {options.repeat} runs of "
        f"{options.seconds} s each, on a warm server", options.docs)
    for name in options.brokers.split(","):
        broker = broker_of(name)
        try:
            for sink in options.sinks.split(","):
                _rates(report, name, broker, options, sink, wanted)
        finally:
            if broker:
                broker.stop()
    rows = report.medians(("with", "sink", "rate"), NAMES)
    for figure in ("p50", "p99"):
        series = {}
        for row in rows:
            series.setdefault(f"{row['with']}, {row['sink']}", []).append((row["rate"], row[figure]))
        report.chart(f"rates-{figure}", svg.lines(
            f"Open loop: {figure} from the due time", "ms", "messages/s, each shown to 50 members", series))
    return report.finish()


def _rates(report, name, broker, options, sink, wanted):
    server = Server(broker, ["-Xmx" + options.heap, *options.jvm.split()], **sink_setting(sink))
    users = ["--rooms", str(options.rooms), "--connect-rate", "2000"]
    try:
        run_client(server, broker, [*users, "--rate", str(max(wanted)), "--duration", f"{options.settle}s"])
        for _ in range(options.repeat):
            for rate in wanted:
                load = [*users, "--rate", str(rate), "--warmup", "2s", "--duration", f"{options.seconds + 2}s"]
                report.window(dict(run_client(server, broker, load), sink=sink, rate=rate, **{"with": name}))
    finally:
        server.stop()


HEADERS = ["-XX:-UseCompactObjectHeaders", "-XX:+UseCompactObjectHeaders"]


def jvm(options, client):
    """Collectors with and without compact object headers; a counted run on a warmed server each."""
    broker = broker_of(options.broker)
    load = client or ["--messages", "100"]
    try:
        report = Report(
            "jvm", [("collector", "collector"), ("headers", "compact headers"), *SHORT, ("rss", "RSS MiB")],
            f"{named(broker)}, -Xmx{options.heap}, client {' '.join(load)}, second run on each server, "
            f"{options.repeat} servers each", options.docs)
        for _ in range(options.repeat):
            for collector in options.collectors.split(","):
                for header in HEADERS:
                    _jvm(report, broker, options, load, collector, header)
        rows = report.medians(("collector", "headers"), [*NAMES, "rss"])
        for figure, title, unit in (("server", "JVM options: the server's CPU", "µs a delivery"),
                                    ("rss", "JVM options: memory after two runs", "RSS, MiB")):
            groups = [(c, {f"compact headers {row['headers']}": row[figure] for row in rows if row["collector"] == c})
                      for c in options.collectors.split(",")]
            report.chart(f"jvm-{figure}", svg.bars(title, unit, "collector", groups))
        return report.finish()
    finally:
        if broker:
            broker.stop()


def _jvm(report, broker, options, load, collector, header):
    server = Server(broker, ["-Xmx" + options.heap, f"-XX:+Use{collector}GC", header, *options.jvm.split()])
    try:
        run_client(server, broker, load)
        row = run_client(server, broker, load)
        report.window(dict(row, collector=collector, headers="on" if "+" in header else "off",
                           rss=proc.rss_kb(server.pid) / 1024))
    finally:
        server.stop()
