"""The local cluster under load: stock Tomcats behind HAProxy, then nginx."""
import contextlib
import random
import re
from pathlib import Path

from ..cluster import Cluster, arguments
from ..common import Problem, expect, get, listens, wait_until
from ..proc import command_line
from .registry import check

#: Users of the load; clients with --reconnect come back by themselves.
USERS = 40
#: Of anybody who is cut off, where others leave the machine to us.
MOST_SECONDS_AWAY = 10


@check("cluster", "two servers behind HAProxy, then nginx: kills, a drain, restarts under load; who is cut off comes back", 90,
       needs=("linux", "rabbitmq", "haproxy", "nginx"), uses_programs=True)
def cluster(run):
    """One is killed and comes back, the other drained and restarted, HAProxy replaced, one killed again."""
    place = run.directory / "cluster"
    place.mkdir()
    port = next(p for p in random.sample(range(20000, 30000, 200), 50) if not listens(p))
    servers = Cluster(place)
    with contextlib.redirect_stdout(run.log):
        return played(run, servers, port)


def played(run, servers, port):
    servers.start(arguments(["start", "2", "--balancer", "haproxy", "--port", str(port), "--broker", run.session.rabbitmq().uri(),
                             "--set", "CHATFLOW_DRAIN_DELAY=1s"]))
    try:
        load = run.site.load([f"ws://127.0.0.1:{port}/chat"], "--rooms", "8", "--room-size", "5", "--rate", "200", "-d", "900s",
                             "--reconnect", "--slo", "none")
        await_users(servers, [1, 2])
        await_talk(servers)  # who is cut off before all have joined does not come back: the run fails
        servers.kill(1)
        await_users(servers, [2])
        servers.restart(1)
        servers.drain(2)
        await_users(servers, [1])
        servers.restart(2)
        servers.balance("nginx", "shard")
        await_users(servers, [1, 2])
        servers.kill(1)
        await_users(servers, [2])
        load.process.terminate()  # in mid-run: it ends and judges
        result = load.result()
        verdict, counts = result["verdict"], result["counts"]
        run.say(verdict["headline"], counts)
        expect(verdict["exitCode"] == 130, f"{verdict['headline']}: it had ended before it was told to")
        expect(not any(verdict["defects"].values()), verdict)
        expect(counts["connectionsFailed"] == 0 and counts["reconnections"] >= USERS, counts)
        back = result["latencyMicros"]["recovery"]["service"]["max"] / 1e6
        expect(back <= MOST_SECONDS_AWAY or result["client"]["starved"], f"somebody was away for {back:.1f} s")
    finally:
        run.say(servers_seen(servers))
        servers.stop()
    left = [pid for pid in pids() if str(servers.directory) in command_line(pid)]
    expect(not left, f"left behind: {left}")
    return f"{counts['reconnections']} came back within {back:.1f} s, none lost anything"


def await_users(servers, numbers):
    """Until all users are on these servers."""
    def on(number):
        text = get(servers.admin(number) + "/health")[1]
        found = re.search(r'"connections":(\d+)', text)
        return int(found[1]) if found else 0
    try:
        wait_until(lambda: sum(map(on, numbers)) == USERS, f"{USERS} users on servers {numbers}")
    except Problem as e:
        raise Problem(f"{e}; there are {[on(number) for number in servers.numbers()]}") from e


def await_talk(servers):
    """Until more has been said than the JOINs of all."""
    def said(number):
        text = get(f"http://127.0.0.1:{servers.port(number)}/api/stats")[1]
        found = re.search(r'"messagesIn":(\d+)', text)
        return int(found[1]) if found else 0
    wait_until(lambda: sum(map(said, servers.numbers())) > 2 * USERS, "members that talk")


def servers_seen(servers):
    return [f"server {n}: pid {servers.pid(n)}, {get(servers.admin(n) + '/health')[1]}" for n in servers.numbers()]


def pids():
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
