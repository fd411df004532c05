"""What a cluster of brokers carries: one node, and three with a copy of each log on each.

Three without copies cannot be: a node hands out the logs alone of which it has one.
"""
import collections

from .. import chart
from ..brokers import Nodes, change_shards
from ..common import counted
from ..programs import Site
from .fleet import COLUMNS, NAMES, measure
from .report import DOCS, Report
from .scaling import Servers

DOCUMENT = DOCS / "scaling.md"
SETTING = ("nodes", "shards")
#: Nodes, each with a copy of each log.
CASES = (1, 3)


def nodes(options):
    """A table by nodes and shards, with the same servers."""
    report = None
    for number in CASES:
        with Site() as site:
            broker = site.keep(Nodes(number))
            report = report or _report(broker, options)
            for count in map(int, options.shards.split(",")):
                for _ in range(options.repeat):
                    report.window(_row(site, broker, count, options))
    rows = report.medians((*SETTING, "leaders"), NAMES)
    for name, title, unit in (("accepted", "All the client can send", "messages/s"), ("paced_p99", f"p99 of {options.rate:,} messages/s", "ms")):
        report.chart(f"nodes-{name.replace('_', '-')}", chart.bars(f"Brokers: {title}", unit, [
            (f"{count} shards", {_named(row): row[name] for row in rows if row["shards"] == count})
            for count in dict.fromkeys(row["shards"] for row in rows)]))
    return report.finish()


def _report(broker, options):
    return Report(
        "nodes", [("nodes", "nodes"), ("shards", "shards"), ("leaders", "leaders a node"), *COLUMNS,
                  ("windows", "windows"), ("verdict", "verdict")],
        f"RabbitMQ {broker.version} on one machine, {options.servers} servers, {options.rooms} rooms of {options.room_size}, round robin, every "
        f"server with all shards; {options.seconds} s at rest, {options.seconds} s of {options.rate:,} messages/s, then {options.messages} "
        "messages a user", options.docs, DOCUMENT)


def _named(row):
    return counted(row["nodes"], "node")


def _row(site, broker, count, options):
    change_shards(broker.uri(), count)
    broker.settle()
    servers = Servers(options.servers, broker, "none", [f"CHATFLOW_SHARDS={count}"], options.port)
    try:
        row = measure(site, servers, broker, count, options)
    finally:
        servers.stop()
    return dict(row, nodes=broker.number, shards=count, leaders=_leaders(broker))


def _leaders(broker):
    """How many logs each node leads, the fewest first."""
    lines = [line.split() for line in broker.ctl("list_queues", "name", "leader").splitlines()]
    led = collections.Counter(line[1] for line in lines if len(line) == 2 and line[0].startswith("chat.log."))
    return ", ".join(map(str, sorted(led.values())))
