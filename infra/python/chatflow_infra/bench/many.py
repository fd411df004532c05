"""Many connections that mostly listen, and rooms with very many members."""
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import chart, proc
from ..common import expect, free_port, java, jvm
from ..peers import allow_files
from ..programs import Site
from .measured import Listening
from .report import DOCS, Report
from .whole import named

MEMBERS = 50
WARM_ROOMS = 10
#: The server's default: a window at rest holds whole heartbeats, else it counts one more or less.
HEARTBEAT_SECONDS = 25
#: Descriptors of a process beside its connections, and ports that others have.
SPARE = 500
#: Of a server and of its client, in KB a connection and MB besides; measured, with room to spare.
KB_A_CONNECTION, MB_A_PAIR = 40, 700
SEVERAL = "several"
#: So many connect to several servers each second: what these, their clients and the broker do on two cores.
SEVERAL_RATE = 600
DOCUMENT = DOCS / "scale.md"


def check_limits(connections, pairs=1):
    """Problem, with what to do, when this machine does not allow so many connections to each of so many servers."""
    files = connections + connections // MEMBERS + SPARE
    allow_files(files)
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    expect(allowed >= files, f"{connections:,} connections need {files:,} open files a process, allowed are {allowed:,}: "
                             "ulimit -n, as root ulimit -Hn, or fewer --connections")
    low, high = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="utf-8").split())
    expect(high - low > connections + SPARE, f"{connections:,} connections to a server need as many local ports, there are "
                                             f"{high - low:,}: sysctl net.ipv4.ip_local_port_range=\"1024 65535\"")
    free = proc.status_field(Path("/proc/meminfo").read_text(encoding="utf-8"), "MemAvailable") // 1024
    needed = pairs * (connections * KB_A_CONNECTION // 1024 + MB_A_PAIR)
    expect(free >= needed, f"{pairs} x {connections:,} connections need {needed:,} MB of memory, {free:,} are free: fewer --connections")


class Form:
    """A form in which servers are deployed, each on a port that it keeps over restarts."""

    def __init__(self, site, name, broker, options):
        self.site, self.name, self.broker, self.options, self.port = site, name, broker, options, free_port()

    def start(self):
        bound = self.options.connections + 1000
        if self.name == "tomcat":
            return self.site.tomcat(self.broker.uri(), port=self.port, CHATFLOW_MAX_CONNECTIONS=bound,
                                    CATALINA_OPTS=f"-Xmx{self.options.heap}")
        return self.site.server("--port", self.port, memory=[f"-Xmx{self.options.heap}", *jvm("SERVER")],
                                broker=self.broker.uri(), CHATFLOW_MAX_CONNECTIONS=bound)


COLUMNS = [
    ("form", "server"), ("connections", "connections"), ("rss", "RSS KB a connection"), ("live", "live heap KB a connection"),
    ("rate", "connected/s"), ("enter", "server µs to connect and enter"), ("rest", "% of a core at rest"),
    ("talk", "% of a core, a message a room and minute"), ("stop", "stop s"), ("back", "all back s"),
    ("ready", "of it behind ready s"), ("caught", "missed, and caught up"), ("windows", "windows"), ("verdict", "verdict")]
NAMES = [name for name, _ in COLUMNS if name not in ("form", "connections", "windows", "verdict")] + ["foreign"]


def many(options):
    """One server of each form, then several at once; speakers are on a server of their own, so that they speak on when it goes."""
    forms = options.forms.split(",")
    check_limits(options.connections, options.servers if SEVERAL in forms else 1)
    with Site() as site:
        broker = site.broker()
        report = Report("many", COLUMNS, f"rooms of {MEMBERS} and a speaker, {named(broker)}, -Xmx{options.heap}, one thread of "
                        f"client for each server, {options.repeat} servers each", options.docs, document=DOCUMENT)
        speakers = site.server(memory=["-Xmx384m", *jvm("SERVER")], broker=broker.uri())
        for _ in range(options.repeat):
            for name in forms:
                report.window(_several(site, broker, speakers, options) if name == SEVERAL
                              else _one(site, Form(site, name, broker, options), speakers, options))
        report.medians(("form", "connections"), NAMES)
        return report.finish()


def _one(site, form, speakers, options):
    server, listening = form.start(), site.keep(Listening())
    pids = dict(speakers=speakers.pid, broker=form.broker.pid, client=listening.pid)
    rooms = max(1, options.connections // MEMBERS)
    connections = rooms * MEMBERS
    where = speakers.chat, server.chat
    row = dict(form=form.name, connections=connections)
    _warm(server, listening, where)
    before = _memory(server)
    window = proc.Window(server=server.pid, **pids)
    listening.ask("open", 0, 1, rooms, MEMBERS, *where)
    seconds, cpu, foreign = window.close()
    row.update(rate=connections / seconds, enter=cpu["server"] / connections * 1e6, foreign=foreign)
    time.sleep(options.settle)
    after = _memory(server)
    row.update({name: (after[name] - before[name]) / connections for name in after})
    row.update(rest=_percent(server, pids, row, lambda: time.sleep(options.beats * HEARTBEAT_SECONDS)))
    busy = _percent(server, pids, row, lambda: listening.ask("say", rooms / options.seconds, 1))
    row.update(talk=a_minute(row["rest"], busy, options.seconds))
    row.update(_restart(form, server, listening, rooms, options))
    listening.stop()
    return row


def a_minute(rest, busy, seconds):
    """What `busy` would be if that had been said within a minute, and not within so many seconds."""
    return rest + (busy - rest) * seconds / 60


def _warm(server, listening, where):
    """Classes and code that the first connections bring are the server's, not theirs."""
    descriptors = proc.descriptors(server.pid)
    listening.ask("open", 0, 1, WARM_ROOMS, MEMBERS, *where)
    listening.ask("say", 100, 1)
    listening.ask("stop")
    proc.await_settled(server.pid, descriptors)


def _memory(server):
    """RSS first: a full collection touches memory."""
    rss = proc.rss_kb(server.pid)
    return dict(rss=rss, live=proc.live_heap_kb(server.pid, Path(java()).with_name("jcmd")))


def _percent(server, pids, row, during):
    """The server's CPU meanwhile, in percent of a core."""
    window = proc.Window(server=server.pid, **pids)
    during()
    seconds, cpu, foreign = window.close()
    row["foreign"] = max(row["foreign"], foreign)
    return 100 * cpu["server"] / seconds


def _restart(form, server, listening, rooms, options):
    """SIGTERM, messages while all are away, start: until the last is back and has what was said meanwhile."""
    begun = time.monotonic()
    server.end()
    stopped = time.monotonic()
    listening.ask("say", 1000, options.missed)
    restarted = form.start()
    ready = time.monotonic()
    told = listening.ask("back")
    back = time.monotonic()
    missed = rooms * MEMBERS * options.missed
    listening.ask("stop")
    restarted.end()
    return dict(stop=stopped - begun, back=back - begun, ready=back - ready, caught=told["caughtUp"],
                verdict=verdict(told, rooms * MEMBERS, missed))


def verdict(told, listeners, missed):
    """`exact` when all were resumed, and each heard every message once and in order, those it missed among them."""
    wrong = [f"{told[name]:,} {words}" for name, words in
             (("missing", "missing"), ("repeated", "repeated"), ("notResumed", "not resumed")) if told[name]]
    if told["resumed"] != listeners or told["caughtUp"] != missed:
        wrong.append(f"{told['resumed']:,} of {listeners:,} resumed, {told['caughtUp']:,} of {missed:,} caught up")
    if not told["exact"]:
        wrong.append(f"{told['in']:,} in, {told['heard']:,} heard")
    return "FAIL: " + ", ".join(wrong) if wrong else "exact"


def _several(site, broker, speakers, options):
    """As many connections to each of several servers at once, each room on one of them."""
    rooms = max(1, options.connections // MEMBERS)
    servers = [Form(site, "launcher", broker, options).start() for _ in range(options.servers)]
    clients = [site.keep(Listening()) for _ in servers]
    for server, client in zip(servers, clients):
        _warm(server, client, (speakers.chat, server.chat))
    before = sum(proc.rss_kb(server.pid) for server in servers)
    every = {f"server{i}": server.pid for i, server in enumerate(servers)} | {f"client{i}": c.pid for i, c in enumerate(clients)}
    others = dict(every, speakers=speakers.pid, broker=broker.pid)

    def all_ask(words):
        with ThreadPoolExecutor(len(clients)) as pool:
            return list(pool.map(lambda i: clients[i].ask(*words(i)), range(len(clients))))

    def used(cpu):
        return sum(seconds for name, seconds in cpu.items() if name.startswith("server"))

    window = proc.Window(**others)
    all_ask(lambda i: ("open", SEVERAL_RATE / len(servers), 1 + i * rooms, rooms, MEMBERS, speakers.chat, servers[i].chat))
    seconds, cpu, foreign = window.close()
    connections = len(servers) * rooms * MEMBERS
    enter = used(cpu) / connections * 1e6
    rate = connections / seconds
    time.sleep(options.settle)
    rss = (sum(proc.rss_kb(server.pid) for server in servers) - before) / connections
    window = proc.Window(**others)
    time.sleep(options.beats * HEARTBEAT_SECONDS)
    seconds, cpu, quiet = window.close()
    rest = 100 * used(cpu) / seconds
    told = all_ask(lambda i: ("say", 200, 1))
    is_exact = all(each["exact"] and each["heard"] == rooms * (MEMBERS + 1) for each in told)
    for program in [*clients, *servers]:
        program.stop()
    return dict(form=f"{len(servers)} launchers", connections=connections, rss=rss, rate=rate, enter=enter, rest=rest,
                foreign=max(foreign, quiet), verdict="exact" if is_exact else f"FAIL: {told}")


LARGE = [("servers", "servers"), ("members", "members"), ("entered", "all in s"), ("join", "servers µs a JOIN"),
         ("others", "JOINs seen by each, of others"), ("rate", "messages/s"), ("p50", "until all have it: p50 ms"), ("p99", "p99 ms"),
         ("delivery", "servers µs a delivery"), ("cores", "client cores"), ("windows", "windows"), ("verdict", "verdict")]
LARGE_NAMES = [name for name, _ in LARGE if name not in ("servers", "members", "rate", "windows", "verdict")] + ["foreign"]


def large(options):
    """One room with very many members, on one server and on several."""
    check_limits(options.connections)
    rates = [int(rate) for rate in options.rates.split(",")]
    with Site() as site:
        broker = site.broker()
        report = Report("large", LARGE, f"one room, all enter within {options.enter} s, then {options.seconds} s at each rate, 100 bytes "
                        f"a message, {named(broker)}, -Xmx{options.heap}, one thread of client, {options.repeat} rounds",
                        options.docs, document=DOCUMENT)
        for _ in range(options.repeat):
            for count in map(int, options.servers.split(",")):
                _large(report, site, broker, count, rates, options)
        rows = report.medians(("servers", "members", "rate"), LARGE_NAMES)
        report.chart("large-rooms", chart.bars(
            "One room: from a message's due time until all have it", "ms",
            [(f"{row['rate']} messages/s, servers: {row['servers']}", {"p50": row["p50"], "p99": row["p99"]}) for row in rows]))
        return report.finish()


def _large(report, site, broker, count, rates, options):
    servers = [Form(site, "launcher", broker, options).start() for _ in range(count)]
    listening = site.keep(Listening())
    urls = [server.chat for server in servers]
    pids = {f"server{i}": server.pid for i, server in enumerate(servers)} | dict(broker=broker.pid, client=listening.pid)
    listening.ask("open", 0, 1, WARM_ROOMS, MEMBERS, urls[0], *urls)
    listening.ask("say", 100, 20)
    listening.ask("stop")

    def measured(*words):
        window = proc.Window(**pids)
        told = listening.ask(*words)
        seconds, cpu, foreign = window.close()
        return told, seconds, sum(used for name, used in cpu.items() if name.startswith("server")), cpu["client"] / seconds, foreign

    members = options.connections
    told, seconds, used, _, foreign = measured("open", members / options.enter, 1000, 1, members, urls[0], *urls)
    entered = dict(servers=count, members=members, entered=seconds, join=used / members * 1e6, others=told["others"] / members)
    for rate in rates:
        heard = told["heard"]
        told, seconds, used, cores, disturbed = measured("say", rate, rate * options.seconds)
        report.window(dict(entered, rate=rate, p50=told["p50"], p99=told["p99"], cores=cores, foreign=max(foreign, disturbed),
                           delivery=used / max(1, told["heard"] - heard) * 1e6, verdict="exact" if told["exact"] else f"FAIL: {told}"))
    listening.stop()
    for server in servers:
        server.stop()
