"""The record: without a broker rows a second and CPU by rows a commit, and what questions take while it is written; then
the whole consumer behind a broker's logs, which are filled as servers do, without a server."""
import contextlib
import json
import tempfile
import threading
from pathlib import Path

from .. import chart, proc
from ..common import CONSUMER, fetch, jvm, wait_until
from ..programs import Postgres, Site
from .measured import Steered
from .report import DOCS, Report

#: 99 of 100 answers take at most so many milliseconds.
GATES = {"room": 100, "user": 200, "active": 500, "rooms": 50}
QUESTIONS = {"room": "newest 1,000 of a room", "user": "newest 1,000 of a user", "active": "active users", "rooms": "rooms of a user"}


#: What waits longest in the logs and the consumer waits at most so many milliseconds, in 99 of 100 looks.
MOST_LAG = 1_000


class StoreLoad(Steered):
    """Writes a record and asks it; the databases' drivers are in the consumer's jar alone."""

    def __init__(self):
        super().__init__("record.StoreLoad", jvm_options=jvm("CONSUMER"), more_jars=[CONSUMER])


class LogLoad(Steered):
    """Fills the logs of all shards."""

    def __init__(self, broker):
        super().__init__("record.LogLoad", broker.uri(), jvm_options=jvm("CONSUMER"))


def record(options):
    """Each store: a row for each number of rows a commit; filled, one for each question; then one for each rate through a broker."""
    report = Report(
        "record", [("store", "store"), ("work", "work"), ("said", "said/s"), ("rate", "rows/s"), ("own", "Java CPU µs a row"), ("database", "database CPU µs a row"),
                   ("p50", "p50 ms"), ("p99", "p99 ms"), ("gate", "at most ms"), ("lag", "lag p99 ms"), ("foreign", "others")],
        f"{options.rows:,} rows of 1,000 users in 20 rooms, questions while {options.rate:,} rows/s are written for {options.seconds} s",
        options.docs, DOCS / "record.md")
    for name in options.stores.split(","):
        with contextlib.ExitStack() as stack:
            load = StoreLoad()
            stack.callback(load.stop)
            _measure(report, name, load, *_store(name, stack), options)
        for rate in map(int, filter(None, options.through.split(","))):
            with contextlib.ExitStack() as stack:
                _through(report, name, *_store(name, stack), rate, options.seconds)
    draw(report)
    return report.finish()


def draw(report):
    """What was measured, as it was, and its pictures."""
    report.rows = report.windows
    for unit, title, key in (("rows/s", "Record: rows a second by rows a commit", "rate"), ("ms", "Record: p99 of questions", "p99")):
        rows = [row for row in report.rows if (row.get("p99") is None) == (key == "rate")]
        works = dict.fromkeys(row["work"] for row in rows)
        report.chart(f"record-{key}", chart.bars(title, unit, [
            (work, {row["store"]: row[key] for row in rows if row["work"] == work}) for work in works]))


def _store(name, stack):
    """What the consumer is told, and the database's process, if it has one."""
    if name == "sqlite":
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="chatflow-bench-"))
        return f"sqlite:{Path(directory) / 'record.db'}", None
    postgres = Postgres()
    stack.callback(postgres.stop)
    return postgres.url, postgres.pid


def _measure(report, store, load, where, database, options):
    load.ask("open", where)
    left = options.rows
    for batch in map(int, options.batches.split(",")):
        rows = min(left, batch * options.commits)
        left -= rows
        report.window(dict(_timed(load, database, rows, "fill", rows, batch), store=store, work=f"{batch:,} rows a commit"))
    if left > 0:
        load.ask("fill", left, 10_000)
    asked = _timed(load, database, None, "ask", options.rate, options.seconds)
    for name, title in QUESTIONS.items():
        times = asked["questions"][name]
        report.window(dict(store=store, work=title, rate=asked["rate"], p50=times["p50Millis"], p99=times["p99Millis"],
                           gate=GATES[name], lag=asked["lag"]["p99Millis"], foreign=asked["foreign"]))


class Lag(threading.Thread):
    """How old the oldest message is that is not recorded, ten times a second until end()."""

    PERIOD = 0.1

    def __init__(self, api):
        super().__init__(daemon=True)
        self.api, self.seen, self.ended = api, [], threading.Event()

    def run(self):
        while not self.ended.wait(self.PERIOD):
            self.seen.append(json.loads(fetch(self.api + "/health"))["lagMillis"])

    def end(self):
        """The 99th percentile, in ms."""
        self.ended.set()
        self.join()
        return sorted(self.seen)[int(0.99 * len(self.seen))]


def _through(report, store, where, database, rate, seconds):
    """The consumer on four logs of RabbitMQ, into which so many messages are published each second."""
    with Site() as site:
        broker = site.broker()
        consumer = site.consumer(broker.uri(), where, options=jvm("CONSUMER"))
        api = consumer.api
        load = LogLoad(broker)
        site.callback(load.stop)
        load.ask("say", rate // 10, 5)  # warm
        before = recorded(api)
        window, of_database, lag = proc.Window(load=load.pid, consumer=consumer.pid, broker=broker.pid), _database_seconds(database), Lag(api)
        lag.start()
        said = load.ask("say", rate, seconds)
        at_end, waited = recorded(api), lag.end()
        used = _database_seconds(database) - of_database
        _, cpu, foreign = window.close(ended=used)
        written = at_end - before
        report.window(dict(store=store, work=f"{rate:,} messages/s through RabbitMQ", said=said["rows"] / said["seconds"],
                           rate=written / said["seconds"], own=1e6 * cpu["consumer"] / written,
                           database=1e6 * used / written if database else None, gate=MOST_LAG, lag=waited, foreign=foreign))
        wait_until(lambda: recorded(api) - before == said["rows"], "all that was said is recorded", 600)


def recorded(api):
    return json.loads(fetch(api + "/api/stats"))["totals"]["recorded"]


def _timed(load, database, rows, *words):
    window, of_database = proc.Window(load=load.pid), _database_seconds(database)
    answer = load.ask(*words)
    used = _database_seconds(database) - of_database
    _, own, foreign = window.close(ended=used)
    written = rows or answer["rows"]
    return answer | dict(rate=written / answer["seconds"], own=1e6 * own["load"] / written,
                         database=1e6 * used / written if database else None, foreign=foreign)


def _database_seconds(pid):
    """Of a PostgreSQL and its sessions, those that have ended included."""
    return proc.family_seconds(pid) if pid else 0.0
