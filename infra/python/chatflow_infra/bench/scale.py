"""What a million people and ten million would need, from the figures in docs: each is measured and has one home there.

CPU is in µs. A server's is so much for each message that its people send, each flight that carries such messages, each
write to a member, each flight that it only reads, and each connection at rest; the broker's so much for each message,
each flight with its first reader, and each further reader. Prices are fitted to the measured rows by least squares of
the relative error; but a server that has little else to do wakes up for each flight, which has a price of its own.
"""
import math
import re
from dataclasses import dataclass, replace

from ..common import Problem, expect
from . import figures
from .report import DOCS, fill

PERFORMANCE, SCALE, AWS, CONFIGURATION = (DOCS / name for name in ("performance.md", "scale.md", "aws.md", "configuration.md"))
BEACON_SECONDS = 4
#: What TCP, IP and Ethernet put around a frame that goes alone.
HEADER_BYTES = 66
#: A machine of the cost table (c7i.large), of which so much may be in use.
CORES, MEMORY_MB, BUSY, FULL = 2, 4096, 0.5, 0.6
BROKER_NODES = 3
MOST_CLUSTERS = 4096


def table(document, kind):
    """The rows that a benchmark has put into a page, by the titles of their columns; numbers as such."""
    text = document.read_text(encoding="utf-8")
    found = re.search(rf"<!-- bench {kind} -->(.*?)<!-- end {kind} -->", text, re.S)
    lines = [line for line in found[1].splitlines() if line.startswith("|")] if found else []
    expect(lines, f"docs/{document.name} has no table of bench {kind}: ./chatflow bench {kind} --docs puts it there")
    titles, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(titles, map(_value, row))) for row in rows]


def _value(cell):
    try:
        return float(cell.replace(",", ""))
    except ValueError:
        return cell


def said(document, pattern):
    """A figure of a sentence or of a row without marks."""
    found = re.search(pattern, document.read_text(encoding="utf-8"))
    if not found:
        raise Problem(f"docs/{document.name} does not say {pattern}")
    return float(found[1].replace(",", ""))


@dataclass(frozen=True)
class Row:
    """A measured row: what happened for each message, and what a message cost the server and the broker."""

    name: str
    flights: float
    writes: float
    server: float
    broker: float
    readers: int = 1
    is_busy: bool = True


def rate_rows():
    """Of warm servers at work: what their prices are made of."""
    rows = []
    for each in table(PERFORMANCE, "rates"):
        if each["broker"] == "rabbitmq" and each["neighbour"] == "no":
            rows.append(Row(f"rates, {each['messages/s']:,.0f} messages/s", 1 / each["messages/flight"], 50 / each["frames/write"],
                            50 * each["server µs"], 50 * each["broker µs"]))
    return rows


def reader_rows():
    """Of servers that have little else to do and wake up for each flight: its price then, and the broker's prices, are made of these."""
    rows = []
    for each in table(SCALE, "readers"):
        flights = 1 / each["messages/flight"]
        rows.append(Row(f"readers, {each['servers']:.0f} servers", flights, 2, flights * each["writer µs a flight"],
                        flights * each["broker µs a flight"], int(each["servers"]), is_busy=False))
    return rows


@dataclass(frozen=True)
class Costs:
    """µs, but for what its name says otherwise. `rest` is µs a second and connection."""

    message: float
    flight: float
    lone_flight: float
    write: float
    reader: float
    broker_message: float
    broker_flight: float
    broker_reader: float
    rest: float
    connection_kb: float
    connections: int
    member_bytes: float
    room_bytes: float
    frame_bytes: float

    def server(self, row):
        return self.message + row.flights * (self.flight if row.is_busy else self.lone_flight) + row.writes * self.write

    def broker(self, row):
        return self.broker_message + row.flights * (self.broker_flight + (row.readers - 1) * self.broker_reader)


def costs():
    """From docs as they are."""
    message, flight, write = figures.fitted([((1, row.flights, row.writes), row.server) for row in rate_rows()], relative=True)
    lone = [row.server - message - row.writes * write for row in reader_rows()]
    broker_message, broker_flight, broker_reader = figures.fitted(
        [((1, row.flights, (row.readers - 1) * row.flights), row.broker) for row in rate_rows() + reader_rows()], relative=True)
    read = [each["a reader µs a flight"] for each in table(SCALE, "readers") if each["servers"] > 1]
    many = next(each for each in table(SCALE, "many") if each["server"] == "launcher")
    return Costs(
        message=message, flight=flight, lone_flight=sum(lone) / len(lone), write=write, reader=sum(read) / len(read),
        broker_message=broker_message, broker_flight=broker_flight, broker_reader=broker_reader,
        rest=many["% of a core at rest"] / 100 * 1e6 / many["connections"], connection_kb=many["RSS KB a connection"],
        connections=int(many["connections"]),
        member_bytes=said(PERFORMANCE, r"heap of a member of another server \| (\d+) B"),
        room_bytes=said(PERFORMANCE, r"Ten thousand quiet rooms[^.]* in (\d+) MiB") * 2**20 / 10_000,
        frame_bytes=said(AWS, r"one message a second of (\d+) bytes"))


@dataclass(frozen=True)
class Crowd:
    """So many people in rooms of one size, in each of which so much is said; `placed`: each shard's rooms are on one server."""

    people: int
    rooms: int
    per_minute: float
    placed: bool

    @property
    def messages(self):
        """A second."""
        return self.rooms * self.per_minute / 60

    @property
    def deliveries(self):
        return self.messages * self.people / self.rooms

    def part(self, clusters):
        return replace(self, people=math.ceil(self.people / clusters), rooms=max(1, math.ceil(self.rooms / clusters)))


@dataclass(frozen=True)
class Need:
    """What a cluster of so many servers needs for a crowd. Cores; MB; connections of the fullest server."""

    servers: int
    connections: float
    server_cores: float
    broker_cores: float
    server_mb: float
    broker_reads: float

    def lacks(self, most_connections):
        """What does not fit, or nothing."""
        bounds = [("connections", self.connections, most_connections), ("CPU of a server", self.server_cores, BUSY * CORES),
                  ("memory of a server", self.server_mb, FULL * MEMORY_MB),
                  ("CPU of the broker", self.broker_cores, BUSY * CORES * BROKER_NODES)]
        return next((name for name, value, most in bounds if value > most), "")


def need(prices, crowd, servers, shards):
    """Each message is a flight of its own, and a server wakes up for it: where little is said they do not meet."""
    share = math.ceil(shards / servers) / shards if crowd.placed and crowd.rooms > 1 else 1 / servers
    readers = 1 if crowd.placed and crowd.rooms > 1 else servers
    used = shards if crowd.rooms > 1 else 1
    flights, beacons = crowd.messages, used * readers / BEACON_SECONDS
    shown = share * (crowd.people * prices.rest + crowd.messages * prices.message + (flights + beacons) * prices.lone_flight
                     + crowd.deliveries * prices.write)
    only_read = (flights + beacons) * prices.reader * (readers - 1) / readers
    broker = crowd.messages * prices.broker_message + (flights + beacons) * (prices.broker_flight + (readers - 1) * prices.broker_reader)
    known = 1 if readers > 1 else share
    kept = known * (crowd.people * prices.member_bytes + crowd.rooms * prices.room_bytes) / 2**20
    return Need(servers, share * crowd.people, (shown + only_read) / 1e6, broker / 1e6,
                share * crowd.people * prices.connection_kb / 1024 + kept, (flights + beacons) * readers)


def smallest(prices, crowd, shards):
    """The smallest cluster that fits, or None with what is in the way of the largest one tried."""
    least = math.ceil(crowd.people / prices.connections)
    lack = "more servers than shards"
    for servers in range(least, shards + 1):
        found = need(prices, crowd, servers, shards)
        lack = found.lacks(prices.connections)
        if not lack:
            return found, ""
    return None, lack


def clusters(prices, crowd, shards):
    """How many clusters of their own, each with its own broker, and one of them; and what a single one lacks."""
    first = smallest(prices, crowd, shards)[1]
    count = 1
    while count <= MOST_CLUSTERS:
        found, _ = smallest(prices, crowd.part(count), shards)
        if found:
            return count, found, first
        count += 1
    raise Problem(f"not with {MOST_CLUSTERS:,} clusters either: {first}")


COLUMNS = [
    ("crowd", "people, rooms, messages a room and minute"), ("placed", "rooms"), ("clusters", "clusters"), ("servers", "servers"),
    ("brokers", "broker nodes"), ("cpu", "cores of a server"), ("memory", "MB of a server, for people and rooms"),
    ("broker", "cores of a cluster's broker"), ("reads", "flights read, a second and cluster"), ("network", "Gbit/s to people"),
    ("machines", "machines, $ an hour"), ("bytes", "bytes, $ an hour"), ("lack", "what one cluster lacks")]
NEAR = [("row", "measured row"), ("server", "server: µs a message"), ("server_model", "model"), ("broker", "broker: µs a message"),
        ("broker_model", "model")]
#: The quiet ones first; a room of its own at the end is what one event brings.
CROWDS = [(100_000, 10_000, 1), (1_000_000, 100_000, 1), (1_000_000, 100_000, 6), (10_000_000, 1_000_000, 1)]
ONE_ROOM = Crowd(1_000_000, 1, 60, placed=True)


def rows(prices):
    shards = int(said(CONFIGURATION, r"`CHATFLOW_SHARDS` \| `\d+` \| 1 to (\d+)"))
    wanted = [Crowd(*crowd, placed) for crowd in CROWDS for placed in (True, False)] + [ONE_ROOM]
    return [_row(prices, crowd, shards) for crowd in wanted]


def _row(prices, crowd, shards):
    is_one_room = crowd.rooms == 1  # it cannot be divided: its cluster may be as large as it has to
    if is_one_room:
        count, found = 1, need(prices, crowd, math.ceil(crowd.people / prices.connections), shards)
        lack = found.lacks(prices.connections)
    else:
        count, found, lack = clusters(prices, crowd, shards)
    bytes_a_second = crowd.deliveries * (prices.frame_bytes + HEADER_BYTES)
    dollars = said(AWS, r"server to users on the internet \| ([\d.]+)") + said(AWS, r"through the balancer[^|]*\| ([\d.]+)")
    return dict(
        crowd=f"{crowd.people:,}, {crowd.rooms:,}, {crowd.per_minute:g}",
        placed="one room" if is_one_room else "placed" if crowd.placed else "anywhere",
        clusters=count, servers=count * found.servers, brokers=count * BROKER_NODES, cpu=found.server_cores, memory=found.server_mb,
        broker=found.broker_cores, reads=found.broker_reads, network=bytes_a_second * 8 / 1e9,
        machines=count * (found.servers + BROKER_NODES) * said(AWS, r"server, c7i\.large \| ([\d.]+)"),
        bytes=bytes_a_second * 3600 / 1e9 * dollars, lack=lack or "nothing")


def scale_model(options):
    """Prints what the model expects; with --docs into the page as well. Also how far it is from each measured row."""
    prices = costs()
    lines = [f"{name} {figures.shown(value)}" for name, value in vars(prices).items()]
    near = figures.table(NEAR, [dict(row=row.name, server=row.server, server_model=prices.server(row), broker=row.broker,
                                     broker_model=prices.broker(row)) for row in rate_rows() + reader_rows()])
    text = f"Prices: {'; '.join(lines).replace('_', ' ')}.\n\n{near}\n\n{figures.table(COLUMNS, rows(prices))}"
    print(text)
    if options.docs:
        SCALE.write_text(fill(SCALE.read_text(encoding="utf-8"), "scale-model", text), encoding="utf-8")
    return True
