"""Changes the number of shards with the packaged programs: rejected while one runs, then for all."""
from ..brokers import Nodes, change_shards
from ..common import Problem, expect
from ..programs import SHORT_LIVED
from .faults import CLUSTER
from .registry import check

BEFORE, AFTER = 16, 64


@check("shards", "a stopped cluster changes from 16 to 64 shards and then rejects 16; nothing changes while a server or a consumer runs", 40,
       needs=("rabbitmq",), uses_programs=True, mostly_waits=True)
def one_node(run):
    return changed(run, run.site.broker().uri(), BEFORE)


@check("shards-cluster", "the same on three brokers, which each have a copy of new logs", 30, needs=CLUSTER, uses_programs=True, mostly_waits=True)
def three_nodes(run):
    run.session.rabbitmq_cluster()
    broker = run.site.keep(Nodes(3))
    said = changed(run, broker.uri(), 4)  # as the nodes were created
    online = [line.split("\t") for line in broker.ctl("list_queues", "name", "online").splitlines()]
    copies = {line[0]: line[1].count("rabbit@") for line in online if line[0].startswith("chat.log.")}
    expect(copies == {f"chat.log.{n}": 3 for n in range(AFTER)}, f"copies: {copies}")
    return said


def changed(run, uri, before):
    record = f"sqlite:{run.directory}/record.db"
    server = server_of(run, uri, before)
    refused(uri, "servers and consumers on this broker: 1;")  # although it has no members and reads nothing
    consumer = run.site.consumer(uri, record, CHATFLOW_SHARDS=before)
    consumer.await_line("^ready")
    exact(run, server)
    refused(uri, "servers and consumers on this broker: 2;")
    expect(server.end() == 0 and consumer.end() == 0, "server or consumer did not stop")
    run.say(change_shards(uri, AFTER))
    old = server_of(run, uri, before, is_awaited=False)
    expect(old.wait() != 0 and f"CHATFLOW_SHARDS={before}" in old.text(), f"a server with {before} shards: {old.text()[-1000:]}")
    again = run.site.consumer(uri, record, CHATFLOW_SHARDS=AFTER)
    expect(again.wait() == 1 and f"it has {before} shards" in again.text(), f"the old record: {again.text()[-1000:]}")
    counts = exact(run, server_of(run, uri, AFTER))
    return f"{counts['deliveries']:,} deliveries with {AFTER} shards"


def server_of(run, uri, shards, **how):
    return run.site.server(memory=("-Xmx256m", *SHORT_LIVED), broker=uri, CHATFLOW_SHARDS=shards, **how)


def exact(run, server):
    return run.site.load([server.chat], "--rooms", "80", "--room-size", "3", "--messages", "20").proved()["counts"]


def refused(uri, why):
    try:
        said = change_shards(uri, AFTER)
    except Problem as e:
        expect(why in str(e), f"rejected for another reason: {e}")
        return
    raise Problem(f"not rejected: {said}")
