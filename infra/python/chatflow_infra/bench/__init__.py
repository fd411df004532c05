"""Measures ChatFlow: ./chatflow bench [KIND] [OPTION]... [-- CLIENT OPTION ...]

  path          whole path, default workload: a server, the load client with its proof, a broker (the default)
  rates         whole path, open loop at fixed rates: latency from the due time
  pace          what the pace of lanes costs in time and CPU, at four rates, with one server and with four
  start         from the start of a process to its line ready, without and with what ./chatflow train keeps
  hops          where the time of a message goes between its frame and the last write: each part, in one run
  idle          memory of 10,000 idle connections
  many          18,000 connections that mostly listen: memory, CPU at rest, a restart after which all come back; then 108,000
  large         one room with 18,000 members, on one server and on four: until all have a message, what a JOIN costs
  micro         JMH: codec, room log, lane, people
  scaling       1, 2 and 4 stock Tomcats with equal CPU quotas, without, and behind HAProxy (needs cgroups; docs/scaling.md)
  client        what a delivery costs the load client, by frames in a read, and what is alive in its heap
  record        the databases of the record: rows a second by rows a commit, questions while it is written, logs to databases
  peers         the same rooms on NATS, Bun, ws, Socket.IO and Spring beside ours, by one driver; installs them (npm, pip, mvn)
  tables        the tables of the systems we come from, ours beside theirs: tables.txt (docs/results)
  code          lines, files, methods and packages of the sources; needs no build
  all           path with both brokers, rates, idle and micro

./chatflow bench KIND --help names its options. Everything listens on loopback and is stopped at the end; Linux (/proc).
Settings take turns within a round. CPU is user + system of whole processes, per delivery. A window in which others
used more than 5 % of the cores is flagged and not counted, unless all were. Rows as JSON, table and charts go to
results/; --docs of path to scaling puts table and charts into docs as well.
"""
import argparse

from ..common import Problem, jvm
from ..quota import QuotaError
from . import client_cost, code, hops, hosts, idle, many, micro, pace, peers, records, scaling, start, tables, whole

#: What "all" runs.
ALL = [
    ["path", "--broker", "rabbitmq", "--heap", "256m", "--sinks", "direct,portable", "--warm", "--repeat", "2"],
    ["path", "--broker", "embedded", "--sinks", "direct,portable", "--warm", "--repeat", "2"],
    ["rates"],
    ["idle"],
    ["micro"],
]
SERVER_JVM = " ".join(option for option in jvm("SERVER"))
NEIGHBOUR = dict(action="store_true", help="also beside a process that takes a third of the machine")
BROKERS = dict(choices=["embedded", "rabbitmq"])


def window(seconds, settle=None):
    """Options of a kind that measures windows."""
    options = {"--seconds": dict(type=int, default=seconds, help="length of a window")}
    if settle is not None:
        options["--settle"] = dict(type=int, default=settle, help="seconds before a window")
    return options


def server(heap="256m", options=SERVER_JVM):
    """Options of a kind that starts servers."""
    return {"--heap": dict(default=heap, help="-Xmx of a server"), "--jvm": dict(default=options, help="further options of its JVM")}


KINDS = {
    # kind: (function, rounds, options)
    "path": (whole.path, 1, server("384m") | {
        "--broker": dict(BROKERS, default="embedded"),
        "--windows": dict(default="16", help="values of CHATFLOW_SENDER_WINDOW"),
        "--sinks": dict(default="auto", help="values of CHATFLOW_SINK"),
        "--warm": dict(type=int, nargs="?", const=1, default=0, metavar="RUNS", help="so many further runs on the same server; 1 without a number")}),
    "rates": (whole.rates, 2, server() | window(8, 20) | {
        "--rates": dict(default="1000,2000,8000"), "--sinks": dict(default="auto"),
        "--neighbour": NEIGHBOUR,
        "--brokers": dict(default="rabbitmq,embedded"), "--rooms": dict(type=int, default=20)}),
    "pace": (pace.pace, 1, server() | window(5, 20) | {
        "--broker": dict(BROKERS, default="rabbitmq"),
        "--rates": dict(default="100,1000,2000,8000"), "--servers": dict(default="1,4", help="numbers of servers")}),
    "start": (start.start, 5, server("384m")),
    "hops": (hops.hops, 3, server() | window(10, 10) | {
        "--broker": dict(BROKERS, default="rabbitmq"), "--rate": dict(type=int, default=1000), "--neighbour": NEIGHBOUR}),
    "idle": (idle.idle, 2, {
        "--broker": dict(BROKERS, default="rabbitmq"), "--settle": dict(type=int, default=3, help="seconds before a look"),
        "--connections": dict(type=int, default=10000),
        "--default-jvm": dict(default=f"-Xmx384m {SERVER_JVM}"), "--smallest-jvm": dict(default=idle.SMALLEST)}),
    "many": (many.many, 1, {
        "--forms": dict(default="launcher,tomcat,several", help="these, one after the other"),
        "--connections": dict(type=int, default=18000, help="to each server"), "--heap": dict(default="768m", help="-Xmx of a server"),
        "--servers": dict(type=int, default=6, help="of the form several"),
        "--settle": dict(type=int, default=5, help="seconds before a look"),
        "--beats": dict(type=int, default=3, help="heartbeats of 25 s at rest"),
        "--missed": dict(type=int, default=2, help="messages in each room while all are away")} | window(60)),
    "large": (many.large, 1, {
        "--connections": dict(type=int, default=18000, help="members"), "--heap": dict(default="768m", help="-Xmx of a server"),
        "--servers": dict(default="1,4", help="numbers of servers"), "--rates": dict(default="2,10", help="messages a second"),
        "--enter": dict(type=int, default=20, help="seconds within which all enter")} | window(15)),
    "micro": (micro.micro, 3, window(1) | {"--include": dict(default="Benchmark", help="regular expression")}),
    "scaling": (lambda options: hosts.hosts(options) if options.hosts else scaling.scaling(options), 3, {
        "--hosts": dict(metavar="CHAT=ADMIN,...", help="servers that run on other machines, in place of all that is started here"),
        "--observe": dict(metavar="URI", help="with --hosts: the broker as the client's --broker takes it"),
        "--servers": dict(default="1,2,4", help="numbers of servers"),
        "--parts": dict(default="quota,free,balancer"),
        "--cpu": dict(type=float, default=0.2, help="cores of a server"),
        "--broker-cpu": dict(type=float, default=0.6), "--client-cpu": dict(type=float, default=0.7),
        "--shards": dict(type=int, default=16, help="of every server, a multiple of 4"),
        "--messages": dict(type=int, default=200, help="a user and server, with quotas"),
        "--free-messages": dict(type=int, default=500, help="a user, without"),
        "--warm": dict(type=int, default=100, help="a user and server, not counted"),
        "--port": dict(type=int, default=18400, help="the first of the servers'"),
        "--set": dict(action="append", default=[], metavar="KEY=VALUE", help="a key of every server")}),
    "client": (client_cost.client_cost, 5, {
        "--frames": dict(default="1,4,16,64,256", help="in a write of the server"),
        "--messages": dict(type=int, default=500, help="a user")}),
    "record": (records.record, None, {
        "--stores": dict(default="sqlite,postgres"), "--batches": dict(default="10,100,1000,10000", help="rows a commit"),
        "--commits": dict(type=int, default=50, help="of each size"), "--rows": dict(type=int, default=10_000_000, help="before questions are asked"),
        "--rate": dict(type=int, default=20_000, help="rows a second meanwhile"),
        "--through": dict(default="50000", help="messages a second through RabbitMQ's logs")} | window(60)),
    "peers": (peers.peers, 3, server("384m") | window(5, 10) | {
        "--servers": dict(default=",".join(peers.SERVERS), help="these"),
        "--rooms": dict(type=int, default=20), "--members": dict(type=int, default=50, help="of a room"),
        "--bytes": dict(type=int, default=100, help="of a message"), "--rate": dict(type=int, default=1000, help="messages a second"),
        "--window": dict(type=int, default=16, help="own messages of a member under way, as fast as can be")}),
    "tables": (tables.tables, 3, {
        "--only": dict(default="", metavar="NAME,NAME", help="these; else every table of tables.txt"),
        "--port": dict(type=int, default=18600, help="the first of the servers'")}),
    "code": (code.code, None, {"--revision": dict(help="a commit in place of the files as they are")}),
}
TAKE_CLIENT_OPTIONS = ("path",)
#: Whose figures no page has a place for.
WITHOUT_PAGE = ("client", "code")


def parsed(kind, arguments):
    function, rounds, options = KINDS[kind]
    parser = argparse.ArgumentParser(prog=f"./chatflow bench {kind}", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    if kind not in WITHOUT_PAGE:
        parser.add_argument("--docs", action="store_true", help="fill the page in docs and docs/charts")
    if rounds:
        parser.add_argument("--repeat", type=int, default=rounds, help="rounds")
    for name, how in options.items():
        parser.add_argument(name, **({"help": " "} | how))
    return function, parser.parse_args(arguments)


def run(kind, arguments, client):
    if kind == "all":
        return all([run(part[0], part[1:] + arguments, []) for part in ALL])
    if client and kind not in TAKE_CLIENT_OPTIONS:
        raise Problem(f"bench {kind} takes no options of the client")
    function, options = parsed(kind, arguments)
    return function(options, client) if kind in TAKE_CLIENT_OPTIONS else function(options)


def main(arguments):
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    own, client = list(arguments), []
    if "--" in own:
        split = own.index("--")
        own, client = own[:split], own[split + 1:]
    kind = own.pop(0) if own and not own[0].startswith("-") else "path"
    if kind not in KINDS and kind != "all":
        print(f"chatflow: no benchmark {kind}; there are {', '.join([*KINDS, 'all'])}")
        return 2
    try:
        return 0 if run(kind, own, client) else "a run did not deliver exactly what it must: see the verdicts"
    except (Problem, QuotaError) as e:
        return f"bench: {e}"
