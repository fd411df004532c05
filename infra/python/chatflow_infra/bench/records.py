"""The record alone, without a broker: rows a second and CPU by rows a commit, and what questions take while it is written."""
import contextlib
import tempfile
from pathlib import Path

from .. import chart, proc
from ..common import jvm
from ..programs import Postgres
from .measured import Steered
from .report import DOCS, Report

#: 99 of 100 answers take at most so many milliseconds.
GATES = {"room": 100, "user": 200, "active": 500, "rooms": 50}
QUESTIONS = {"room": "newest 1,000 of a room", "user": "newest 1,000 of a user", "active": "active users", "rooms": "rooms of a user"}


class StoreLoad(Steered):
    """Writes a record and asks it."""

    def __init__(self):
        super().__init__("record.StoreLoad", jvm_options=jvm("CONSUMER"))


def record(options):
    """Each store: a row for each number of rows a commit; then, filled, one for each question."""
    report = Report(
        "record", [("store", "store"), ("work", "work"), ("rate", "rows/s"), ("own", "Java CPU µs a row"), ("database", "database CPU µs a row"),
                   ("p50", "p50 ms"), ("p99", "p99 ms"), ("gate", "at most ms"), ("lag", "lag p99 ms"), ("foreign", "others")],
        f"{options.rows:,} rows of 1,000 users in 20 rooms, questions while {options.rate:,} rows/s are written for {options.seconds} s",
        options.docs, DOCS / "record.md")
    for name in options.stores.split(","):
        with contextlib.ExitStack() as stack:
            load = StoreLoad()
            stack.callback(load.stop)
            _measure(report, name, load, *_store(name, stack), options)
    report.rows = report.windows
    for unit, title, key in (("rows/s", "Record: rows a second by rows a commit", "rate"), ("ms", "Record: p99 of questions", "p99")):
        rows = [row for row in report.rows if (row.get("p99") is None) == (key == "rate")]
        works = dict.fromkeys(row["work"] for row in rows)
        report.chart(f"record-{key}", chart.bars(title, unit, [
            (work, {row["store"]: row[key] for row in rows if row["work"] == work}) for work in works]))
    return report.finish()


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
