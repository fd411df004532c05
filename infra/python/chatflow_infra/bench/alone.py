"""The fan-out alone: real sockets, real Tomcat, no broker; variants take turns in one go."""
import time

from .. import chart, proc
from . import figures
from .measured import Crowd, Hall
from .report import Report

NAMES = ("deliveries", "frames", "server", "client", "p50", "p99", "threads", "foreign")
FIGURES = [
    ("deliveries", "deliveries/s"), ("frames", "frames/write"), ("server", "server µs"), ("client", "client µs"),
    ("p50", "p50 ms"), ("p99", "p99 ms"), ("threads", "threads"), ("windows", "windows"), ("verdict", "verdict"),
]


def measure(crowd, hall, shape, warm, seconds):
    """One window: `shape` is connections, rooms, senders a room, own messages under way, payload bytes."""
    descriptors = proc.descriptors(hall.pid)
    joined = crowd.ask("open", hall.url, *shape)
    crowd.ask("go")
    time.sleep(warm)
    window = proc.Window(server=hall.pid, client=crowd.pid)
    first, written = crowd.ask("count"), hall.ask("count")
    time.sleep(seconds)
    last, more = crowd.ask("count"), hall.ask("count")
    threads = proc.threads(hall.pid)
    _, cpu, foreign = window.close()
    ended = crowd.ask("stop")
    proc.await_settled(hall.pid, descriptors)
    deliveries = last["deliveries"] - first["deliveries"]
    exact = joined["open"] and ended["exact"]
    return dict(
        deliveries=deliveries / (last["nanos"] - first["nanos"]) * 1e9,
        frames=(more["deliveries"] - written["deliveries"]) / max(1, more["writes"] - written["writes"]),
        server=cpu["server"] / max(1, deliveries) * 1e6, client=cpu["client"] / max(1, deliveries) * 1e6,
        p50=last["p50"], p99=last["p99"], threads=threads, foreign=foreign,
        verdict="exact" if exact else "FAIL: " + (ended["failure"] or "counts differ"))


def fanout(options):
    """direct, portable and two reference points; window 16 and 1; 1,000 connections, 20 rooms of 50."""
    variants = options.variants.split(",")
    windows = [int(window) for window in options.windows.split(",")]
    connections, rooms = options.connections, max(1, options.connections // 50)
    report = Report(
        "fanout", [("window", "W"), ("variant", "variant"), *FIGURES[:4], ("ratio", "× naive"), *FIGURES[4:]],
        f"{connections:,} connections, {rooms} rooms, frames of 204 bytes, no broker, -Xmx{options.heap}, "
        f"{options.repeat} windows of {options.seconds} s each", options.docs)
    crowd = Crowd()
    halls = [Hall(variant, ["-Xmx" + options.heap, *options.jvm.split()]) for variant in variants]
    try:
        for _ in range(options.repeat):
            for window in windows:
                for hall in halls:
                    row = measure(crowd, hall, (connections, rooms, connections, window, 200),
                                  options.settle, options.seconds)
                    report.window(dict(row, variant=hall.variant, window=window))
    finally:
        crowd.stop()
        for hall in halls:
            hall.stop()
    rows = sorted(report.medians(("window", "variant"), NAMES), key=lambda row: -row["window"])
    report.rows = rows
    figures.add_ratios(rows, "deliveries", lambda row: row["variant"] == "naive", ["window"])
    for figure, title, unit in (("deliveries", "Fan-out alone: rate", "deliveries/s"),
                                ("server", "Fan-out alone: the server's CPU", "µs a delivery")):
        groups = [(f"{window} own message{'s' * (window > 1)} of each sender under way",
                   {row["variant"]: row[figure] for row in rows if row["window"] == window}) for window in windows]
        report.chart(f"fanout-{figure}", chart.bars(title, unit, groups))
    return report.finish()


#: Members a room, rooms, senders a room, their window: about 1 to 16 thousand messages under way, at most 200 KiB a room.
ROOMS = [(10, 100, 10, 16), (50, 20, 50, 16), (500, 2, 500, 2), (5000, 1, 1000, 1)]


def rooms(options):
    """From 10 to 5,000 members a room."""
    report = Report(
        "rooms", [("members", "members a room"), ("rooms", "rooms"), ("variant", "variant"), *FIGURES],
        f"no broker, frames of 204 bytes, -Xmx{options.heap}, {options.repeat} windows of {options.seconds} s each",
        options.docs)
    crowd = Crowd()
    halls = [Hall(variant, ["-Xmx" + options.heap, *options.jvm.split()]) for variant in options.variants.split(",")]
    shapes = [shape for shape in ROOMS if shape[0] <= options.largest]
    try:
        for _ in range(options.repeat):
            for members, count, senders, window in shapes:
                for hall in halls:
                    row = measure(crowd, hall, (members * count, count, senders, window, 200),
                                  options.settle, options.seconds)
                    report.window(dict(row, variant=hall.variant, members=members, rooms=count))
    finally:
        crowd.stop()
        for hall in halls:
            hall.stop()
    rows = report.medians(("members", "rooms", "variant"), NAMES)
    groups = [(f"{members:,} members a room", {row["variant"]: row["deliveries"] for row in rows if row["members"] == members})
              for members in dict.fromkeys(row["members"] for row in rows)]
    report.chart("rooms-deliveries", chart.bars("Rate by size of room", "deliveries/s", groups))
    return report.finish()
