"""What a cluster of brokers carries: one node and three, a log on one of them or with a copy on each."""
import collections
import json
import subprocess

from .. import chart
from ..brokers import Nodes, change_shards
from ..common import own_environment
from ..programs import RABBITMQ, Site
from .fleet import COLUMNS, NAMES, measure
from .report import DOCS, Report
from .scaling import Servers

DOCUMENT = DOCS / "scaling.md"
SETTING = ("nodes", "copies", "shards")
#: Nodes, and copies of a log.
CASES = ((1, 1), (3, 1), (3, 3))
#: As infra/rabbitmq/definitions wants them; these are nobody's.
PASSWORDS = {f"BROKER_PASSWORD_{role}": f"of-the-benchmark-{role}" for role in ("SERVER", "CONSUMER", "MONITOR", "ADMIN")}


def nodes(options):
    """A table by nodes, copies and shards, with the same servers."""
    report = None
    for number in dict.fromkeys(nodes for nodes, _ in CASES):
        with Site() as site:
            broker = site.keep(Nodes(number))
            report = report or _report(broker, options)
            for copies in (copies for nodes, copies in CASES if nodes == number):
                for count in map(int, options.shards.split(",")):
                    for _ in range(options.repeat):
                        report.window(_row(site, broker, copies, count, options))
    rows = report.medians((*SETTING, "leaders"), NAMES)
    for name, title, unit in (("accepted", "All the client can send", "messages/s"), ("paced_p99", f"p99 of {options.rate:,} messages/s", "ms")):
        report.chart(f"nodes-{name.replace('_', '-')}", chart.bars(f"Brokers: {title}", unit, [
            (f"{count} shards", {_named(row): row[name] for row in rows if row["shards"] == count})
            for count in dict.fromkeys(row["shards"] for row in rows)]))
    return report.finish()


def _report(broker, options):
    return Report(
        "nodes", [("nodes", "nodes"), ("copies", "copies of a log"), ("shards", "shards"), ("leaders", "leaders a node"), *COLUMNS,
                  ("windows", "windows"), ("verdict", "verdict")],
        f"RabbitMQ {broker.version} on one machine, {options.servers} servers, {options.rooms} rooms of {options.room_size}, round robin, every "
        f"server with all shards; {options.seconds} s at rest, {options.seconds} s of {options.rate:,} messages/s, then {options.messages} "
        "messages a user", options.docs, DOCUMENT)


def _named(row):
    return f"{row['nodes']} node{'s' if row['nodes'] > 1 else ''}, {row['copies']} cop{'ies' if row['copies'] > 1 else 'y'}"


def _row(site, broker, copies, count, options):
    change_shards(broker.uri(), count)
    broker.settle()
    if copies < broker.number:
        _with_copies(broker, copies, count)  # a log without copies would never be settled
    servers = Servers(options.servers, broker, "none", [f"CHATFLOW_SHARDS={count}"], options.port)
    try:
        row = measure(site, servers, broker, count, options)
    finally:
        servers.stop()
    return dict(row, nodes=broker.number, copies=copies, shards=count, leaders=_leaders(broker))


def _with_copies(broker, copies, count):
    """The same logs, each on so many nodes."""
    command = [str(word) for word in (RABBITMQ / "definitions", "--nodes", broker.number, "--shards", count)]
    made = json.loads(subprocess.run(command, env=own_environment(**PASSWORDS), capture_output=True, check=True).stdout)
    logs = [queue for queue in made["queues"] if queue["name"].startswith("chat.log.")]
    for queue in logs:
        queue["arguments"]["x-initial-cluster-size"] = copies
        broker.ask(f"queues/%2F/{queue['name']}", method="DELETE")
    wanted = dict(queues=logs, bindings=[one for one in made["bindings"] if one["destination"].startswith("chat.log.")])
    broker.ask("definitions", method="POST", body=json.dumps(wanted).encode())


def _leaders(broker):
    """How many logs each node leads, the fewest first."""
    lines = [line.split() for line in broker.ctl("list_queues", "name", "leader").splitlines()]
    led = collections.Counter(line[1] for line in lines if len(line) == 2 and line[0].startswith("chat.log."))
    return ", ".join(map(str, sorted(led.values())))
