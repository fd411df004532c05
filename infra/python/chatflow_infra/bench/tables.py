"""The tables of the systems we come from, each a line of tables.txt: short runs, medians, ours beside theirs."""
import dataclasses
import itertools
import os
import shlex
import time
from pathlib import Path

from .. import chart, proc
from ..common import Problem, counted
from ..programs import Site
from .fleet import load
from .measured import verdict
from .report import DOCS, Report
from .scaling import Servers

FILE = Path(__file__).with_name("tables.txt")
DOCUMENT = DOCS / "results" / "README.md"
#: What each table shows beside what is varied in it.
COLUMNS = [
    ("accepted", "messages/s"), ("deliveries", "deliveries/s"), ("fanout", "copies"), ("mean", "mean ms"), ("p50", "p50 ms"),
    ("p99", "p99 ms"), ("server", "server µs a delivery"), ("failed", "failed"),
]
NAMES = [name for name, _ in COLUMNS] + ["foreign"]
#: A run before the first one that counts, on servers that were just started.
WARM = ["--rooms", 20, "--room-size", 50, "--messages", 50]


@dataclasses.dataclass(frozen=True)
class Table:
    """A line of the file."""
    name: str
    servers: list
    ways: list
    axes: dict
    options: list
    question: str
    theirs_title: str
    theirs: list

    @property
    def rows(self):
        """Every setting, in the order of the table."""
        names = ["servers", "way", *self.axes]
        values = itertools.product(self.servers, self.ways, *self.axes.values())
        return [dict(zip(names, each)) for each in values]


def read(text):
    """The tables of the file by name; Problem where a line is none."""
    tables = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split(" | ")]
            if len(cells) != 7:
                raise Problem(f"line {number} of {FILE.name} has {len(cells)} cells, not 7")
            table = _table(*cells)
            if table.theirs and len(table.theirs) != len(table.rows):
                raise Problem(f"line {number} of {FILE.name}: {len(table.theirs)} figures of theirs for {len(table.rows)} rows")
            tables[table.name] = table
    return tables


def _table(name, servers, ways, axes, options, question, theirs):
    title, _, figures = theirs.partition(": ")
    return Table(
        name, [int(one) for one in servers.split(",")], ways.split(","),
        {axis: values.split(",") for axis, values in (one.split("=", 1) for one in axes.split())},
        shlex.split(options), question, title if figures else "", figures.split(",") if figures else [])


def client_options(row):
    """What a row says to the client."""
    options = []
    for axis, value in row.items():
        if axis == "size":
            rooms, users = value.split("x")
            options += ["--rooms", rooms, "--room-size", users]
        elif axis not in ("servers", "way", "cores") and not axis.isupper():
            options += [f"--{axis}", value]
    return options


def server_settings(row):
    """What a row says to the servers; those with the same can stay."""
    return tuple(f"{axis}={value}" for axis, value in row.items() if axis.isupper())


def tables(options):
    """Those that were asked for, one after the other."""
    known = read(FILE.read_text(encoding="utf-8"))
    names = options.only.split(",") if options.only else list(known)
    for name in names:
        if name not in known:
            raise Problem(f"no table {name}; there are {', '.join(known)}")
    with Site() as site:
        broker = site.broker()
        return all([_take(site, broker, known[name], options) for name in names])


def _take(site, broker, table, options):
    axes = [("servers", "servers"), ("way", "clients come"), *((axis, axis) for axis in table.axes)]
    theirs = [("theirs", table.theirs_title)] if table.theirs else []
    report = Report(
        f"tables-{table.name}", [*axes, *COLUMNS, *theirs, ("windows", "windows"), ("verdict", "verdict")],
        f"{table.question} RabbitMQ {broker.version}, {' '.join(table.options)}, {counted(options.repeat, 'run')} each", options.docs, DOCUMENT)
    began = time.monotonic()
    for (number, way, settings), rows in _fleets(table):
        servers = Servers(number, broker, way if way != "direct" else "none", list(settings), options.port)
        try:
            load(site, ["--wait", "60s", *WARM], servers.urls(way, "off"))
            for _ in range(options.repeat):
                for row in rows:
                    report.window(dict(_window(site, servers, row, table), **row))
        finally:
            servers.stop()
    medians = report.medians(tuple(name for name, _ in axes), NAMES)
    for row in medians:
        row["theirs"] = dict(zip(map(str, table.rows), table.theirs)).get(str({name: row[name] for name, _ in axes}), "-")
    shown = "deliveries" if any(row["deliveries"] for row in medians) else "accepted"
    report.chart(f"tables-{table.name}", chart.bars(table.question, dict(COLUMNS)[shown], _groups(table, medians, shown)))
    report.notes.append(f"Taken in {time.monotonic() - began:.0f} s: `./chatflow bench tables --only {table.name}`.")
    return report.finish()


def _fleets(table):
    """The rows by the servers that they need, so that these start as seldom as can be."""
    fleets = {}
    for row in table.rows:
        fleets.setdefault((row["servers"], row["way"], server_settings(row)), []).append(row)
    return fleets.items()


def _groups(table, rows, shown):
    last = list(table.axes)[-1]
    groups = {}
    for row in rows:
        others = [counted(row["servers"], "server"), *([row["way"]] if len(table.ways) > 1 else []),
                  *(f"{axis} {row[axis]}" for axis in list(table.axes)[:-1])]
        groups.setdefault(f"{last} {row[last]}", {})[", ".join(others)] = row[shown]
    return list(groups.items())


def _window(site, servers, row, table):
    cores = int(row.get("cores", proc.CORES))
    for pid in servers.pids:
        proc.pin(pid, set(range(cores)))
    window = proc.Window(**servers.measured)
    children = proc.children_seconds()
    ran = load(site, [*table.options, *client_options(row)], servers.urls(row["way"], "off"))
    _, cpu, foreign = window.close(ended=proc.children_seconds() - children)
    return dict(figures_of(ran, sum(used for name, used in cpu.items() if name.startswith("server"))), foreign=foreign)


def figures_of(ran, server_seconds):
    """The columns of a run; where nobody listens, the answer to a post stands for a delivery."""
    latencies = ran["latencyMicros"]
    latency = latencies["delivery" if latencies["delivery"]["service"]["count"] else "echo"]
    counted = latency.get("response", latency["service"])
    copies = ran["counts"]["textDeliveries"] or ran["counts"]["accepted"] or 1
    return dict(
        accepted=ran["rates"]["acceptedPerSecond"], deliveries=ran["rates"]["deliveriesPerSecond"], fanout=ran["rates"]["fanOut"],
        mean=counted.get("mean", 0) / 1000, p50=counted.get("p50", 0) / 1000, p99=counted.get("p99", 0) / 1000,
        server=server_seconds / copies * 1e6, failed=ran["counts"]["failed"], verdict=verdict(ran["verdict"]))
