"""What a number of shards costs: at rest, at a rate, and as fast as can be; with one server and with several."""
import time

from .. import chart
from ..brokers import Nodes, change_shards
from ..common import counted
from ..programs import Site
from . import figures
from .fleet import COLUMNS, NAMES, at_rest, measure
from .measured import Beacons
from .report import DOCS, Report
from .scaling import Servers

DOCUMENT = DOCS / "scaling.md"
#: From one beacon of a lane to the next.
BEACON_SECONDS = 4
#: Numbers of servers at rest, all but one of them played by the lab; and what they may read of this machine's broker a second.
MANY, MOST_READS = (16, 64), 20_000
REST = [(f"rest_{who}{n}", f"{who if who == 'broker' else 'a server'} at rest among {n}, %") for n in MANY for who in ("server", "broker")]


def shards(options):
    """A table by servers and shards, and what it says of more servers at rest."""
    with Site() as site:
        broker = site.keep(Nodes(options.nodes)) if options.nodes > 1 else site.broker()
        report = Report(
            "shards", [("servers", "servers"), ("shards", "shards"), *COLUMNS[:2], *REST, *COLUMNS[2:], ("windows", "windows"), ("verdict", "verdict")],
            f"RabbitMQ {broker.version}, {counted(len(broker.data), 'node')}, {options.rooms} rooms of {options.room_size}, "
            f"round robin, every server with all shards; {options.seconds} s at rest, {options.seconds} s of {options.rate:,} messages/s, "
            f"then {options.messages} messages a user; {counted(options.repeat, 'round')}", options.docs, DOCUMENT)
        for _ in range(options.repeat):
            for servers in map(int, options.servers.split(",")):
                for number in map(int, options.shards.split(",")):
                    report.window(dict(_row(site, broker, servers, number, options), servers=servers, shards=number))
    rows = report.medians(("servers", "shards"), [*NAMES, *(name for name, _ in REST)])
    report.notes += expected(rows)
    for name, title, unit in (("rest_broker", "The broker at rest, by shards", "% of a core"),
                              ("paced_p99", f"p99 of {options.rate:,} messages/s, by shards", "ms")):
        report.chart(f"shards-{name.replace('_', '-')}", chart.bars(title, unit, [
            (f"{number} shards", {counted(row["servers"], "server"): row[name] for row in rows if row["shards"] == number})
            for number in dict.fromkeys(row["shards"] for row in rows)]))
    return report.finish()


def _row(site, broker, number, shard_count, options):
    change_shards(broker.uri(), shard_count)
    servers = Servers(number, broker, "none", [f"CHATFLOW_SHARDS={shard_count}"], options.port)
    try:
        row = measure(site, servers, broker, shard_count, options)
        if number == 1:
            for many in MANY:
                row |= among(servers, broker, many, shard_count, options.seconds)
        return row
    finally:
        servers.stop()


def among(servers, broker, many, shard_count, seconds):
    """One server at rest among so many; nothing where this machine's broker would have too much to do."""
    if many * many * shard_count / BEACON_SECONDS > MOST_READS:
        return {}
    others = Beacons(broker.uri(), many - 1, shard_count)
    try:
        time.sleep(2 * BEACON_SECONDS)
        rest = at_rest(servers, seconds)
    finally:
        others.stop()
    return {f"rest_server{many}": rest["rest_server"], f"rest_broker{many}": rest["rest_broker"]}


def resting(rows):
    """Each row at rest, and each that the lab has played beside it."""
    found = [dict(row) for row in rows]
    for many in MANY:
        found += [dict(servers=many, shards=row["shards"], rest_server=row[f"rest_server{many}"], rest_broker=row[f"rest_broker{many}"])
                  for row in rows if row.get(f"rest_server{many}") is not None]
    return found


def expected(rows):
    """What the rows say of rest with more servers: beacons are what grows."""
    each = resting(rows)
    if len({row["servers"] for row in each}) < 2 or len({row["shards"] for row in rows}) < 2:
        return []
    server = figures.fitted([((1, s, n * s), row["rest_server"]) for n, s, row in _by_size(each)])
    broker = figures.fitted([((1, n * s, n * n * s), row["rest_broker"]) for n, s, row in _by_size(each)])
    beacons = 1e4 * BEACON_SECONDS  # from per cent of a core and beacons each so many seconds to µs
    table = figures.table(
        [("shards", "shards"), *((f"{who}{n}", f"{n} servers: {who}, %") for n in MANY for who in ("a server", "broker"))],
        [dict({"shards": s}, **{f"a server{n}": _at(server, (1, s, n * s)) for n in MANY},
              **{f"broker{n}": _at(broker, (1, n * s, n * n * s)) for n in MANY})
         for s in dict.fromkeys(row["shards"] for row in rows)])
    return [f"At rest every lane says so each {BEACON_SECONDS} s, and every server reads it. Fitted to the rows: a lane of its own costs a server "
            f"{beacons * server[1]:.0f} µs a beacon, one that it reads {beacons * server[2]:.0f} µs; the broker {beacons * broker[1]:.0f} µs to take "
            f"one and {beacons * broker[2]:.0f} µs for each server that reads it. Computed from that, % of a core at rest, every server with "
            "all shards:", table]


def _by_size(rows):
    return [(row["servers"], row["shards"], row) for row in rows]


def _at(prices, terms):
    return sum(price * term for price, term in zip(prices, terms))
