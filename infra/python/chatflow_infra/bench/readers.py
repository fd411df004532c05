"""What a message costs servers that have no member of its room: each reads the whole log of a shard that it serves."""
import time

from .. import proc
from ..common import jvm
from ..programs import Site, total
from .many import DOCUMENT
from .measured import Listening
from .report import Report
from .whole import named

#: So many that each shard has some of them, on each server.
ROOMS = 40
FLIGHTS = "chatflow_flight_messages"
COLUMNS = [
    ("servers", "servers"), ("rest", "writer at rest, % of a core"), ("reader_rest", "a reader at rest, %"),
    ("broker_rest", "broker at rest, %"),
    ("lines", "messages/flight"), ("own", "writer µs a flight"), ("reader", "a reader µs a flight"), ("broker", "broker µs a flight"),
    ("windows", "windows"), ("verdict", "verdict")]
NAMES = [name for name, _ in COLUMNS if name not in ("servers", "windows", "verdict")] + ["foreign"]


def readers(options):
    """One server whose rooms speak, beside none, one, three others that serve the same shards for rooms of their own."""
    with Site() as site:
        broker = site.broker()
        report = Report("readers", COLUMNS, f"{ROOMS} rooms of a speaker and a listener on each server, those of one speak: "
                        f"{options.rate} messages/s together, {options.seconds} s at rest and {options.seconds} s of that, "
                        f"{named(broker)}, {options.repeat} rounds", options.docs, document=DOCUMENT)
        for _ in range(options.repeat):
            for count in map(int, options.servers.split(",")):
                report.window(_row(site, broker, count, options))
        report.medians(("servers",), NAMES)
        return report.finish()


def _row(site, broker, count, options):
    servers = [site.server(memory=["-Xmx256m", *jvm("SERVER")], broker=broker.uri()) for _ in range(count)]
    clients = [site.keep(Listening()) for _ in servers]
    for i, (server, client) in enumerate(zip(servers, clients)):
        client.ask("open", 0, 1 + i * ROOMS, ROOMS, 1, server.chat, server.chat)
    clients[0].ask("say", options.rate, options.settle * options.rate // ROOMS)  # the others' readers get warm as well
    pids = {f"server{i}": server.pid for i, server in enumerate(servers)} | {f"client{i}": each.pid for i, each in enumerate(clients)}
    rest = _used(broker, pids, lambda: time.sleep(options.seconds))
    before = servers[0].metrics()
    messages = options.seconds * options.rate // ROOMS
    busy = _used(broker, pids, lambda: clients[0].ask("say", options.rate, messages))
    after = servers[0].metrics()
    told = [client.ask("stop") for client in clients]
    for program in [*clients, *servers]:
        program.stop()
    flights = total(after, FLIGHTS + "_count") - total(before, FLIGHTS + "_count")
    lines = (total(after, FLIGHTS + "_sum") - total(before, FLIGHTS + "_sum")) / flights

    def each(name):
        """µs of a flight, beyond what is used at rest."""
        return (busy[name] - rest[name]) * busy["seconds"] / flights * 1e6

    others = count > 1
    return dict(
        servers=count, rest=100 * rest["server0"], reader_rest=100 * rest["readers"] if others else None, broker_rest=100 * rest["broker"],
        lines=lines, own=each("server0"), reader=each("readers") if others else None, broker=each("broker"),
        foreign=max(rest["foreign"], busy["foreign"]), verdict="exact" if all(one["exact"] for one in told) else f"FAIL: {told}")


def _used(broker, pids, during):
    """Cores that each used meanwhile; `readers` is the mean of the servers but the first."""
    window = proc.Window(broker=broker.pid, **pids)
    during()
    seconds, cpu, foreign = window.close()
    cores = {name: used / seconds for name, used in cpu.items()}
    others = [used for name, used in cores.items() if name.startswith("server") and name != "server0"]
    return cores | dict(readers=sum(others) / max(1, len(others)), seconds=seconds, foreign=foreign)
