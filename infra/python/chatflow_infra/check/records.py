"""Tests the message archive: it has the messages that members received, in order, despite any fault during the run."""
import contextlib
import csv
import json
import re
import shutil
import signal
import sqlite3
import statistics
import tempfile
import time
import urllib.request
from pathlib import Path

from ..common import CONSUMER, LAUNCHER, Problem, call, counted, expect, fetch, get, own_environment, wait_until
from ..disk import SmallDisk
from .programs import SENT, SMALL
from .registry import NAMED, check

#: Texts per second of all users: slow enough for a fault during the run.
PACED, SLOW = (["--rate", str(rate), "--slo", "none"] for rate in (600, 300))
ROUNDS_LONG = 5
#: A text that the databases reject, sent to an empty room.
REFUSED, REFUSED_ROOM = "refused", "404"
DISK_MEGABYTES = 48


def demo(run, *options):
    """Records a small load; the archive must answer as tables after all programs have ended."""
    said = call(LAUNCHER, "demo", "--record", *options, *SMALL, "--quiet", environment=own_environment())
    run.say(said)
    expect("AUDIT PASS" in said and f"order: {SENT:,} messages read back" in said, "the archive differs from the received messages")
    store = "sqlite:" + str(Path(re.search(r"(?m)^report: (.*)/report\.txt$", said)[1]) / "record.db")
    rooms = query(run, store, "analytics/top", "of=rooms", "by=messages")
    expect(rooms.count(str(SENT // 8)) == 8, f"not 8 rooms of {SENT // 8} messages:\n{rooms}")
    page = query(run, store, "rooms/1/messages", "limit=1000")
    expect(page.count("LEAVE") >= 10, f"the room's last messages are not its LEAVEs:\n{page[-2000:]}")
    return f"{SENT:,} recorded"


def query(run, store, *question):
    answer = call(LAUNCHER, "consumer", "query", "--store", store, *question, environment=own_environment())
    run.say(answer)
    return answer


@check("record", "SQLite has the messages that members of each room received, in order, and answers queries; embedded broker", 20, uses_programs=True)
def record(run):
    return demo(run)


@check("record-rabbitmq", "the same, RabbitMQ", 20, needs=("rabbitmq",), uses_programs=True)
def record_rabbitmq(run):
    return demo(run, "--broker", run.session.rabbitmq().uri())


# --- a load with consumers ---------------------------------------------------------------------------------


class Recording:
    """A consumer that records the load."""

    def __init__(self, run, broker, store):
        self.run, self.broker, self.store = run, broker, store
        self.start()

    def start(self):
        self.consumer = self.run.site.consumer(self.broker.uri(), self.store)

    @property
    def api(self):
        return self.consumer.api

    def signal(self, number):
        self.consumer.process.send_signal(number)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.consumer.process.wait()

    def recorded(self):
        return json.loads(fetch(self.api + "/api/stats"))["totals"]["recorded"]

    def health(self):
        return json.loads(get(self.api + "/health")[1])

    def await_trouble(self, words):
        def is_told():
            health = self.health()
            return health["status"] == "AWAY" and re.search(words, health["trouble"] or "")
        wait_until(is_told, f"{self.store} is unavailable: {words}", 10)  # as in docs/reference/message-archive.md
        self.run.say(f"{self.store}: {self.health().get('trouble')}")

    def await_well(self):
        wait_until(lambda: self.health()["status"] in ("UP", "BEHIND"), f"{self.store} is written again")

    def judge(self, out):
        """Checks that the archive equals the sent and received messages, in order and without gaps."""
        compared = self.run.site.java("compare", "-jar", CONSUMER, "compare", "--order", out / "order.csv", out / "senders.csv", self.api)
        status = compared.wait()
        self.run.say(f"--- {self.store}", compared.text(), self.consumer.text())
        expect(status == 0, f"{self.store}: the archive differs:\n{compared.text()}")
        gaps = json.loads(fetch(self.api + "/api/gaps"))["gaps"]
        expect(not gaps, f"{self.store}: gaps: {gaps}")


@contextlib.contextmanager
def recorded_load(run, broker, stores, *options):
    """Runs a server, a Recording per store and the load; yields when a part of it is recorded, and checks the results at the end."""
    server = run.site.server(broker=broker.uri())
    recordings = [Recording(run, broker, store) for store in stores]
    for each in recordings:
        each.await_well()  # a new archive begins with messages from now on
    out = Path(tempfile.mkdtemp(prefix="load-", dir=run.directory)) / "results"
    load = run.site.load([server.chat], *options, "--verify", "kept-order", "-o", out)
    try:
        wait_until(lambda: all(each.recorded() > SENT // 5 for each in recordings), "a part of the load is recorded")
        yield server, recordings, out
        load.proved()
    except Problem:
        run.say(*(each.text() for each in (load, server, *(recording.consumer for recording in recordings))))
        raise
    for each in recordings:
        each.judge(out)
        expect(each.consumer.end() == 0, "an unclean end of the consumer")
    expect(server.end() == 0, "an unclean end of the server")


# --- killed ----------------------------------------------------------------------------------------------------------


def kills(run, rounds):
    """Kills both consumers, PostgreSQL and the broker with -9: each in separate rounds with new archives."""
    broker, postgres = run.site.broker(), run.site.postgres()

    def consumers_die(recordings):
        for each in recordings:
            each.kill()
        for each in recordings:
            each.start()

    def database_dies(_):
        postgres.kill()
        postgres.start()

    def broker_dies(_):
        broker.kill_and_start()

    for turn in range(1, rounds + 1):
        for name, fault in (("consumer", consumers_die), ("database", database_dies), ("broker", broker_dies)):
            run.say(f"--- {name}, round {turn}")
            postgres.sql(f"CREATE SCHEMA {name}{turn}")
            stores = f"sqlite:{run.directory}/{name}{turn}.db", f"{postgres.url}&currentSchema={name}{turn}"
            with recorded_load(run, broker, stores, *SMALL, *PACED) as (_, recordings, _):
                fault(recordings)
    return f"{counted(rounds, 'round')} of each"


@check("record-kills", "the archive is exact after kill -9 of consumers, PostgreSQL and broker during the run, both stores", 100,
       needs=("rabbitmq", "postgres"), uses_programs=True, mostly_waits=True)
def record_kills(run):
    return kills(run, 1)


@check("record-kills-long", "the same in five rounds each", 500, when=NAMED, needs=("rabbitmq", "postgres"), uses_programs=True)
def record_kills_long(run):
    return kills(run, ROUNDS_LONG)


# --- full, read-only, unavailable, rejected, frozen --------------------------------------------------------------------------


class Sqlite:
    """An archive in SQLite on a separate disk. Faults last for their `with`, which yields the words of the error."""

    def __init__(self, run):
        self.disk = run.site.keep(SmallDisk(run.directory, DISK_MEGABYTES))
        self.file = self.disk.path / "record.db"
        self.store = f"sqlite:{self.file}"

    def _connection(self):
        return contextlib.closing(sqlite3.connect(self.file, timeout=60, isolation_level=None))

    @contextlib.contextmanager
    def full(self, _):
        self.disk.fill()
        yield "disk is full"
        self.disk.free()

    @contextlib.contextmanager
    def read_only(self, recording):
        """Another program holds the lock, so that it is closed and opened again: with a disk in memory, an open file stays writable."""
        files = self.file, f"{self.file}-wal"
        with self._connection() as other:
            other.execute("BEGIN IMMEDIATE")
            recording.await_trouble("locked")
            self.disk.seal(*files)
            recording.await_trouble("readonly")  # it may have opened them before, and wait for the lock
            other.execute("ROLLBACK")
        yield "readonly"
        self.disk.unseal(*files)

    def away(self, _):
        """A file is only unavailable with its disk."""
        return contextlib.nullcontext()

    def refuse(self):
        with self._connection() as other:
            other.execute(f"CREATE TRIGGER refuse BEFORE INSERT ON message WHEN new.body = '{REFUSED}' BEGIN SELECT raise(ABORT, 'refused'); END")

    def frozen(self, recording):
        """Freezes the process, which keeps its lock: another one waits, also after it has continued."""
        recording.signal(signal.SIGSTOP)
        second = recording.run.site.consumer(recording.broker.uri(), self.store)
        second.await_line("another process writes the archive")
        recording.signal(signal.SIGCONT)
        recording.await_well()
        expect(second.end() == 0, "an unclean end of the waiting process")

    def judge_frozen(self):
        """No process was fenced."""


class Postgres:
    """An archive in PostgreSQL, with tables on a separate disk."""

    def __init__(self, run):
        self.disk = run.site.keep(SmallDisk(run.directory, DISK_MEGABYTES))
        self.database = run.site.postgres()
        shutil.chown(self.disk.path, "postgres", "postgres")
        self.database.sql(f"CREATE TABLESPACE small LOCATION '{self.disk.path}'")
        self.store = f"{self.database.url}&options=-c%20default_tablespace%3Dsmall"
        self.first = None

    @contextlib.contextmanager
    def full(self, _):
        self.disk.fill()
        yield "No space left on device"
        self.disk.free()

    @contextlib.contextmanager
    def read_only(self, _):
        self._read_only("on")
        yield "read-only transaction"
        self._read_only("off")

    def _read_only(self, value):
        self.database.sql(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
        self.database.sql("SELECT pg_reload_conf()")

    @contextlib.contextmanager
    def away(self, _):
        self.database.kill()
        yield "refused"
        self.database.start()

    def refuse(self):
        self.database.sql(f"ALTER TABLE message ADD CONSTRAINT refused CHECK (body <> '{REFUSED}')")

    def frozen(self, recording):
        """Ends the database session of a frozen process, as after a lost network; another one takes over, and the first continues."""
        self.first = recording.consumer
        recording.signal(signal.SIGSTOP)
        self.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'chatflow-consumer'")
        recording.start()
        recording.await_well()
        self.first.process.send_signal(signal.SIGCONT)
        self.first.await_line("another process writes the archive")

    def judge_frozen(self):
        """Checks that the first process, which gets the lock after the end of the second, notices other writes, writes
        nothing, and ends.
        """
        expect(self.first.wait() == 1, "the frozen process did not end with 1")
        expect("another process has written to the archive" in self.first.text(), f"the frozen process does not report why it ends:\n{self.first.text()}")
        rows = int(re.search(r"\d+", self.database.sql("SELECT count(*) FROM message"))[0])
        expect(rows == SENT, f"{rows} messages, sent {SENT}")


def post(server, text):
    """Posts a text to an empty room."""
    body = {"messageType": "TEXT", "userId": 1, "username": "poster", "message": text, "timestamp": "2026-01-01T00:00:00Z"}
    request = urllib.request.Request(f"{server.http}/api/rooms/{REFUSED_ROOM}/messages", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        expect(answer.status == 201, f"the post was answered with {answer.status}")


@check("record-faults", "the archive is exact although its database is full, read-only, locked, unavailable or rejects a text, or its writer freezes; both stores",
       60, needs=("rabbitmq", "postgres", "root"), uses_programs=True, mostly_waits=True)
def record_faults(run):
    broker, stores = run.site.broker(), [Sqlite(run), Postgres(run)]
    with recorded_load(run, broker, [each.store for each in stores], *SMALL, *SLOW) as (server, recordings, _):
        for fault in ("full", "read_only", "away"):
            with contextlib.ExitStack() as lasting:
                words = [lasting.enter_context(getattr(each, fault)(recording)) for each, recording in zip(stores, recordings)]
                for recording, word in zip(recordings, words):
                    if word:
                        recording.await_trouble(word)
            for recording in recordings:
                recording.await_well()
        expect(all(recording.health()["logCoversSeconds"] > 0 for recording in recordings), "/health does not report how long the logs last")
        for each in stores:
            each.refuse()
        post(server, REFUSED)
        wait_until(lambda: broker.ask("queues/%2F/chat.dead").get("messages") == len(stores), "each consumer has dead-lettered the rejected text")
        for each, recording in zip(stores, recordings):
            each.frozen(recording)
    for each in stores:
        each.judge_frozen()
    return f"{SENT:,} recorded in each store"


# --- unavailable for a minute -----------------------------------------------------------------------------------------------

#: Maximum median of the chat's p99 per second during the outage, as a multiple of before.
AWAY_SECONDS, MOST_TIMES = 60, 1.05
#: Seconds after a kill or a start that are excluded.
MARGIN = 5


@check("record-away", "the chat's delivery p99 is stable while the archive's database is unavailable for 60 s, and then nothing is missing", 200,
       when=NAMED, needs=("rabbitmq", "postgres"), uses_programs=True)
def record_away(run):
    broker, postgres = run.site.broker(), run.site.postgres()
    load = ["--rooms", 8, "--room-size", 10, "--rate", 500, "--duration", f"{2 * AWAY_SECONDS + 30}s", "--slo", "none"]
    with recorded_load(run, broker, [postgres.url], *load) as (_, (recording,), out):
        began = time.time()
        time.sleep(AWAY_SECONDS)
        postgres.kill()
        gone = time.time()
        recording.await_trouble("refused")
        time.sleep(max(0, gone + AWAY_SECONDS - time.time()))
        waited = recording.health()
        back = time.time()
        postgres.start()
        recording.await_well()
    expect(waited["lagMillis"] > 1000 * (AWAY_SECONDS - MARGIN), f"/health says a lag of {waited['lagMillis']} ms")
    expect(waited["logCoversSeconds"] > AWAY_SECONDS, f"the logs cover {waited['logCoversSeconds']} s")
    before, away = p99(out, began + MARGIN, gone), p99(out, gone + MARGIN, back)
    said = f"p99 {before:.2f} ms before, {away:.2f} ms during the outage: {away / before:.3f} times; the logs cover {waited['logCoversSeconds']} s"
    expect(away <= MOST_TIMES * before, said)
    return said


def p99(out, since, until):
    """Returns the median of the delivery p99 per second between two times, in ms."""
    start = float(re.search(r"StartTime: ([\d.]+)", (out / "latency.hlog").read_text(encoding="utf-8"))[1])
    with open(out / "intervals.csv", encoding="utf-8") as file:
        seen = [float(row["p99Ms"]) for row in csv.DictReader(file)
                if since - start <= float(row["seconds"]) <= until - start and row["p99Ms"] not in ("", "NaN")]
    return statistics.median(seen)
