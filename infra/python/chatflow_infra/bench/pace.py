"""What the pace of lanes comes to in time, CPU and entries, by messages a second, with one server and with several on one broker."""
import time

from .. import chart, proc
from ..common import Problem, counted, jvm, wait_until
from ..programs import Site, total
from .fleet import attach_all
from .measured import run_client, verdict
from .report import Report
from .whole import broker_of, named, server_of

COLUMNS = [
    ("servers", "servers"), ("rate", "messages/s"), ("p50", "p50 ms"), ("p99", "p99 ms"),
    ("server", "servers, % of a core"), ("broker", "broker, % of a core"), ("entries", "log entries/s"),
    ("windows", "windows"), ("verdict", "verdict"),
]
ROOMS, MEMBERS = 20, 50
#: The servers' default.
SHARDS = 4
#: Four servers here fall behind at the highest rate, and the next load would wait for what they have not read.
WARM_RATE = 2_000
#: Seconds that a load lasts beyond the window that is looked at, in which its members come and go.
AROUND = 6


def pace(options):
    """Each number of servers fresh, and warmed; then one window for each rate."""
    counts, rates = ([int(one) for one in text.split(",")] for text in (options.servers, options.rates))
    with Site() as site:
        broker = broker_of(site, options.broker)
        report = Report(
            "pace", COLUMNS,
            f"{named(broker)}, open loop, {ROOMS * MEMBERS:,} connections in turn to all servers, {ROOMS} rooms of {MEMBERS}, "
            f"-Xmx{options.heap}, {options.repeat} runs of {options.seconds} s each, on warm servers", options.docs)
        for _ in range(options.repeat):
            for number in counts:
                with server_of(site, broker, options, more=("--servers", number)) as server:
                    attach_all(server, server.chats, SHARDS)  # several that read back long logs at once take their time
                    run_client(site, server, broker, [*users(min(WARM_RATE, max(rates))), "--duration", f"{options.settle}s"])
                    for rate in rates:
                        report.window(dict(_window(site, server, broker, rate, options.seconds), servers=number))
    rows = report.medians(("servers", "rate"), ["p50", "p99", "server", "broker", "entries"])
    groups = [(f"{rate:,} messages/s", {counted(row["servers"], "server"): row["p50"] for row in rows if row["rate"] == rate})
              for rate in rates]
    report.chart("pace-p50", chart.bars("Lane pace: p50 from the due time", "ms", groups))
    return report.finish()


def users(rate):
    return ["--rooms", ROOMS, "--room-size", MEMBERS, "--connect-rate", "2000", "--rate", rate]


def _window(site, server, broker, rate, seconds):
    """CPU and entries of some seconds while all members are there; latencies of the whole load."""
    load = site.load(server.chats, *users(rate), "--warmup", "2s", "--duration", f"{seconds + AROUND}s", memory=jvm("CLIENT"))
    wait_until(lambda: load.process.poll() is not None or total(server.metrics(), "chatflow_members") >= ROOMS * MEMBERS,
               "all members are there")
    if load.process.poll() is not None:
        raise Problem(f"the load ended before all its members were there: {load.result()['verdict']['headline']}")
    time.sleep(1)
    before, began = server.metrics(), time.monotonic()
    window = proc.Window(broker=broker and broker.pid, client=load.pid, **{f"server{n}": pid for n, pid in enumerate(server.pids)})
    time.sleep(seconds)
    elapsed, cpu, foreign = window.close()
    after, ended = server.metrics(), time.monotonic()
    ran = load.result()
    latency = ran["latencyMicros"]["delivery"]
    latency = latency.get("response", latency["service"])
    flights = total(after, "chatflow_flight_messages_count") - total(before, "chatflow_flight_messages_count")
    return dict(
        rate=rate, p50=latency["p50"] / 1000, p99=latency["p99"] / 1000, entries=flights / (ended - began), foreign=foreign,
        server=100 * sum(used for name, used in cpu.items() if name.startswith("server")) / elapsed,
        broker=100 * cpu["broker"] / elapsed if broker else None, verdict=verdict(ran["verdict"]))
