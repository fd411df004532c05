"""Runs one benchmark: rounds, servers, windows and rows."""
import contextlib
import time

from .. import proc
from ..common import Problem, Skipped, jvm
from ..peers import allow_files
from ..programs import Site
from ..quota import Quota
from . import fleet, measured, peer_servers, report
from .plan import options, value_of

#: Open files of this process and its children, as far as the system allows.
OPEN_FILES = 20_000


class Bench:
    """The resources of all rows of a benchmark."""

    def __init__(self, plan, site):
        self.plan, self.site, self.shares = plan, site, None
        self.started, self.lacks, self.the_broker = {}, {}, None
        self.expressions = {title: compile(expression, title, "eval") for title, expression in plan.columns.values()}
        self.has_samples = any("peak(" in expression for _, expression in plan.columns.values())

    def broker(self):
        """Returns the RabbitMQ of this benchmark, started on first use."""
        if not self.the_broker:
            self.the_broker = self.site.broker()
            if self.plan.common["client_cpu"]:
                self.shares = measured.Shares(self.plan.common, Quota, self.the_broker)
                self.site.callback(self.shares.remove)
                self.site.callback(self.the_broker.stop)  # before its group ends
        return self.the_broker

    def servers(self, key, setting):
        """Returns the warm servers of this row, started unless they still run."""
        if key in self.lacks:
            raise self.lacks[key]
        if key not in self.started:
            try:
                self.started[key] = Row(self, setting)
            except Skipped as e:
                self.lacks[key] = e
                raise
        return self.started[key]

    def end(self, key):
        row = self.started.pop(key, None)
        if row:
            row.stop()

    def columns_of(self, names):
        """Returns the figures of a window by title; None for missing ones."""
        row = {}
        for title, expression in self.expressions.items():
            try:
                row[title] = eval(expression, {"__builtins__": {"max": max, "min": min, "sum": sum, "round": round}}, names)
            except (TypeError, ZeroDivisionError):  # a missing process or figure
                row[title] = None
        return row


class Row:
    """Warm servers with their load."""

    def __init__(self, bench, setting):
        self.bench, self.setting, plan = bench, setting, bench.plan
        self.speakers = self.crowds = None
        self.fleet = fleet.start(bench.site, setting, bench.broker)
        try:
            self.fleet.record(self._store())
            if plan.steps:
                self.crowds = measured.Crowds(bench.site, value_of(setting["crowds"], setting))
                if setting["speakers_apart"]:
                    self.speakers = bench.site.server(memory=["-Xmx384m", *jvm("SERVER")], broker=bench.broker().uri())
                if plan.warm_steps:
                    measured.run_crowd(self.fleet, self.crowds, plan.warm_steps, setting, self.speakers)
            for _ in range(setting.get("warm_runs", 1) if plan.warm else 0):
                measured.run_client(bench.site, self.fleet, options(plan.warm, setting), setting)
            time.sleep(setting["settle"])
            self.limit(True)
        except BaseException:
            self.stop()
            raise

    def _store(self):
        """Returns the archive of the row's consumer: a file of SQLite, or a separate PostgreSQL."""
        store = self.setting["store"]
        return self.bench.site.postgres().url if store == "postgres" else store and f"sqlite:{self.bench.site.directory / 'record.db'}"

    def limit(self, is_limited):
        self.fleet.limit(self.setting["server_cpu"] if is_limited else 0)
        if self.bench.shares:
            self.bench.shares.limit(is_limited)

    def window(self, setting, others):
        """Runs one window and returns the names for columns."""
        for pid in self.fleet.server_pids() if "cores" in setting else ():
            proc.pin(pid, set(range(int(setting["cores"]))))
        if self.crowds:
            return measured.run_crowd(self.fleet, self.crowds, self.bench.plan.steps, setting, self.speakers, others)
        return measured.run_client(self.bench.site, self.fleet, self.bench.plan.load_of(setting), setting, self.bench.shares,
                                   self.bench.has_samples)

    def stop(self):
        if self.bench.shares:
            self.bench.shares.limit(False)
        for one in (*(self.crowds.crowds if self.crowds else ()), *([self.speakers] if self.speakers else ()), self.fleet):
            one.stop()


def run(plan, rounds, docs):
    """Runs all rounds; returns whether every delivery was correct."""
    told = report.Report(plan, rounds, docs)
    allow_files(OPEN_FILES)
    with Site() as site, contextlib.ExitStack() as stack:
        bench = Bench(plan, site)
        fleets = plan.fleets()
        if plan.common["order"] == "together":
            for key, rows in enumerate(fleets):
                with contextlib.suppress(Skipped, Problem):  # its window reports it
                    bench.servers(key, rows[0][1])
                stack.callback(bench.end, key)
        turns = [(key, 1) for _ in range(rounds) for key in range(len(fleets))] if plan.common["order"] != "fleet" else \
            [(key, rounds) for key in range(len(fleets))]
        for n, (key, repeated) in enumerate(turns):
            if n and plan.common["pause"] and n % len(fleets) == 0:
                time.sleep(plan.common["pause"])
            try:
                _windows(told, bench, key, fleets[key] * repeated)
            finally:
                if plan.common["order"] != "together":
                    bench.end(key)
    told.medians()
    return told.finish()


def _windows(told, bench, key, rows):
    """Runs a row. A failure does not affect other rows; a missing part of this machine is reported in the row."""
    for shown, setting in rows:
        shown = {name: labelled(name, value) for name, value in shown.items()}
        try:
            servers = bench.servers(key, setting)
            others = {f"other{n}-{name}": pid for n, other in bench.started.items() if n != key for name, pid in other.fleet.pids().items()}
            names = servers.window(setting, others.items())
            told.window(shown | bench.columns_of(names) | dict(foreign=names["foreign"], verdict=verdict(bench.plan, names)))
        except Skipped as e:
            told.lacking(shown | dict(verdict=f"not available: {e}"))
        except Problem as e:
            told.window(shown | dict(foreign=0, verdict=f"FAIL: {str(e).strip().splitlines()[0]}"))


def verdict(plan, names):
    """Checks the other conditions for `exact`."""
    wrong = [one for one in plan.exact_if if not eval(one, {"__builtins__": {}}, names)]
    return f"FAIL: not {', not '.join(wrong)}" if wrong else names["verdict"]


def labelled(name, value):
    """Returns a peer by its name and version."""
    return peer_servers.PEERS[value].label(value) if name in ("form", "name") and value in peer_servers.PEERS else value
