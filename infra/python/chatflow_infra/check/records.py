"""The record: what stands in a database is what members saw, text by text and in order, whatever is killed in mid-run."""
import json
import re
import signal
import tempfile
from pathlib import Path

from ..common import CONSUMER, LAUNCHER, call, expect, fetch, own_environment, wait_until
from .programs import SENT, SMALL
from .registry import LONG, check

#: Texts a second of all users: slow enough for a kill in mid-run.
PACED = ["--rate", "600", "--slo", "none"]
ROUNDS_LONG = 5


def demo(run, *options):
    """A small load, recorded beside; its record answers as tables when nothing runs any more."""
    said = call(LAUNCHER, "demo", "--record", *options, *SMALL, "--quiet", environment=own_environment())
    run.say(said)
    expect("AUDIT PASS" in said and f"order: {SENT:,} messages read back" in said, "the record is not what was seen")
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


@check("record", "what members of each room saw is in SQLite, text by text and in order, and can be asked; embedded broker", 20, uses_programs=True)
def record(run):
    return demo(run)


@check("record-rabbitmq", "the same, RabbitMQ", 20, needs=("rabbitmq",), uses_programs=True)
def record_rabbitmq(run):
    return demo(run, "--broker", run.session.rabbitmq().uri())


def recorded(api):
    return json.loads(fetch(api + "/api/stats"))["totals"]["recorded"]


def killed(run, broker, store, fault):
    """A load with a fault in mid-run, then its comparison; what the consumer said of gaps."""
    server = run.site.server(broker=broker.uri())
    consumer = run.site.consumer(broker.uri(), store)
    api = consumer.api
    out = Path(tempfile.mkdtemp(prefix="load-", dir=run.directory)) / "results"
    load = run.site.load([server.chat], *SMALL, *PACED, "--verify", "kept-order", "-o", out)
    wait_until(lambda: recorded(api) > SENT // 5, "a part of the load is recorded")
    consumer = fault(consumer) or consumer
    load.proved()
    compared = run.site.java("compare", "-jar", CONSUMER, "compare", "--order", out / "order.csv", out / "senders.csv", consumer.api)
    status = compared.wait()
    run.say(compared.text(), consumer.text())
    expect(status == 0, f"the record differs:\n{compared.text()}")
    gaps = json.loads(fetch(consumer.api + "/api/gaps"))["gaps"]
    expect(not gaps, f"gaps: {gaps}")
    expect(consumer.end() == 0 and server.end() == 0, "an unclean end")


def kills(run, store, rounds, faults):
    """Each fault in rounds of its own, each with a new record."""
    broker = run.site.broker()
    for turn in range(rounds):
        for name, fault in faults(broker):
            run.say(f"--- {name}, round {turn + 1}")
            killed(run, broker, store(f"{name}{turn}"), fault)
    return f"{rounds} round{'s' if rounds > 1 else ''} of each"


def sqlite_kills(run, rounds):
    def store(name):
        return f"sqlite:{run.directory}/{name}.db"

    def faults(broker):
        def consumer_dies(consumer):
            store_of = re.search(r"(?m)^  record  (\S+)", consumer.text())[1]
            consumer.process.send_signal(signal.SIGKILL)
            consumer.process.wait()
            return run.site.consumer(broker.uri(), store_of)
        return [("consumer", consumer_dies), ("broker", lambda _: broker.kill_and_start())]
    return kills(run, store, rounds, faults)


def postgres_kills(run, rounds):
    postgres = run.site.postgres()

    def store(name):
        postgres.sql(f"CREATE SCHEMA {name}")
        return f"{postgres.url}&currentSchema={name}"

    def faults(_):
        def database_dies(_consumer):
            postgres.kill()
            postgres.start()
        return [("database", database_dies)]
    return kills(run, store, rounds, faults)


@check("record-kills", "the record is exact after kill -9 of consumer and broker in mid-run, SQLite", 90,
       needs=("rabbitmq",), uses_programs=True)
def record_kills(run):
    return sqlite_kills(run, 1)


@check("record-kills-postgres", "the record is exact after kill -9 of PostgreSQL in mid-run", 60,
       needs=("rabbitmq", "postgres"), uses_programs=True)
def record_kills_postgres(run):
    return postgres_kills(run, 1)


@check("record-kills-long", "the same in five rounds each", 600, when=LONG, needs=("rabbitmq", "postgres"), uses_programs=True)
def record_kills_long(run):
    return f"SQLite: {sqlite_kills(run, ROUNDS_LONG)}; PostgreSQL: {postgres_kills(run, ROUNDS_LONG)}"
