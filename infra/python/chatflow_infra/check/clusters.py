"""Tests the local cluster under load: stock Tomcats behind HAProxy, then nginx."""
import collections
import contextlib
import json
import os
import random
import re
import signal
import time
from pathlib import Path

from ..cluster import Cluster, arguments, haproxy_config, nginx_config
from ..common import CLIENT, ROOT, Problem, expect, fetch, free_port, get, listens, wait_until
from ..peers import Peers, allow_files
from ..proc import command_line
from .registry import check

#: Users of the load, with --reconnect.
USERS = 40
#: Maximum seconds until a disconnected user returns, on an idle machine.
MOST_SECONDS_AWAY = 10


@check("cluster", "two servers behind HAProxy, then nginx: kills, a drain, restarts under load; all disconnected users return", 50,
       needs=("linux", "rabbitmq", "haproxy", "nginx"), uses_programs=True)
def cluster(run):
    """Kills and restarts one server, drains and restarts the other, replaces HAProxy, kills one again."""
    place = run.directory / "cluster"
    place.mkdir()
    port = next(p for p in random.sample(range(20000, 30000, 200), 50) if not listens(p))
    servers = Cluster(place)
    with contextlib.redirect_stdout(run.log):
        return played(run, servers, port)


def played(run, servers, port):
    servers.start(arguments(["start", "2", "--balancer", "haproxy", "--port", str(port), "--broker", run.site.broker().uri(),
                             "--set", "CHATFLOW_DRAIN_DELAY=1s"]))
    try:
        load = run.site.load([f"ws://127.0.0.1:{port}/chat"], "--rooms", "8", "--room-size", "5", "--rate", "200", "-d", "900s",
                             "--reconnect", "--slo", "none")
        await_users(servers, [1, 2])
        await_talk(servers)  # a user disconnected before all have joined does not return, and the run fails
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
        load.process.terminate()  # during the run: it ends and judges
        result = load.result()
        verdict, counts = result["verdict"], result["counts"]
        run.say(verdict["headline"], counts)
        expect(verdict["exitCode"] == 130, f"{verdict['headline']}: it ended before the stop request")
        expect(not any(verdict["defects"].values()), verdict)
        expect(counts["connectionsFailed"] == 0 and counts["reconnections"] >= USERS, counts)
        back = result["latencyMicros"]["recovery"]["service"]["max"] / 1e6
        expect(back <= MOST_SECONDS_AWAY or result["client"]["starved"], f"a user was disconnected for {back:.1f} s")
    finally:
        run.say(servers_seen(servers))
        servers.stop()
    left = [pid for pid in pids() if str(servers.directory) in command_line(pid)]
    expect(not left, f"left behind: {left}")
    return f"{counts['reconnections']} returned within {back:.1f} s without losses"


def await_users(servers, numbers):
    """Waits until all users are on these servers."""
    def on(number):
        text = get(servers.admin(number) + "/health")[1]
        found = re.search(r'"connections":(\d+)', text)
        return int(found[1]) if found else 0
    try:
        wait_until(lambda: sum(map(on, numbers)) == USERS, f"{USERS} users on servers {numbers}")
    except Problem as e:
        raise Problem(f"{e}; there are {[on(number) for number in servers.numbers()]}") from e


def await_talk(servers):
    """Waits for messages after all JOINs."""
    def said(number):
        text = get(f"http://127.0.0.1:{servers.port(number)}/api/stats")[1]
        found = re.search(r'"messagesIn":(\d+)', text)
        return int(found[1]) if found else 0
    wait_until(lambda: sum(map(said, servers.numbers())) > 2 * USERS, "messages of members")


def servers_seen(servers):
    return [f"server {n}: pid {servers.pid(n)}, {get(servers.admin(n) + '/health')[1]}" for n in servers.numbers()]


def pids():
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


# --- who is where ------------------------------------------------------------------------------------------------------

MEMBERS, ROOMS = 1000, 20
#: By design: seconds until members of a killed server, and of a drained one, have left all views.
GHOST_SECONDS, DRAINED_SECONDS = 75, 10


@check("presence", "1,000 members on four servers, one killed, one frozen for 20 s, one drained: every view equal, no ghost after 75 s", 170,
       needs=("linux", "rabbitmq"), uses_programs=True, mostly_waits=True)
def presence(run):
    """Puts user i on server i % 4 + 1, in room i % 20; users do not return."""
    place = run.directory / "presence"
    place.mkdir()
    allow_files(8000)
    servers = Cluster(place)
    port = next(p for p in random.sample(range(20000, 30000, 200), 50) if not listens(p))
    with contextlib.redirect_stdout(run.log), contextlib.ExitStack() as open_peers:
        servers.start(arguments(["start", "4", "--port", str(port), "--broker", run.site.broker().uri(),
                                 "--set", "CHATFLOW_HEARTBEAT=1h"]))  # these members answer no ping
        try:
            peers = [open_peers.enter_context(Peers(f"http://127.0.0.1:{servers.port(n)}")) for n in (1, 2, 3, 4)]
            refused = [user for user in range(1, MEMBERS + 1) if peers[user % 4].join(str(user % ROOMS), user)]
            expect(not refused, f"not accepted: {refused[:5]}")
            return views_of_survivors(servers)
        finally:
            run.say(servers_seen(servers))
            servers.stop()


def views_of_survivors(servers):
    everybody = {number: {user for user in range(1, MEMBERS + 1) if user % 4 + 1 == number} for number in (1, 2, 3, 4)}
    all_know(servers, (1, 2, 3, 4), set().union(*everybody.values()), GHOST_SECONDS + 15)  # other servers may have ended here before
    killed = time.monotonic()
    servers.kill(1)
    frozen = servers.pid(2)
    os.kill(frozen, signal.SIGSTOP)
    time.sleep(20)
    os.kill(frozen, signal.SIGCONT)
    servers.drain(3)
    drained = time.monotonic()
    wait_until(lambda: not view(servers, 4)[1] & everybody[3], "members of the drained server have left", DRAINED_SECONDS)
    after_drain = time.monotonic() - drained
    all_know(servers, (2, 4), everybody[4], GHOST_SECONDS - (time.monotonic() - killed))
    ghosts = time.monotonic() - killed
    servers.restart(3)
    all_know(servers, (2, 3, 4), everybody[4], GHOST_SECONDS + 15)  # its old lane sent more after its farewell
    return f"no ghost after {ghosts:.0f} s, of the drained server after {after_drain:.1f} s; three views of {len(everybody[4])} equal"


def view(servers, number):
    """Returns whether a server's list is complete, and its members."""
    complete, users = True, set()
    for room in range(ROOMS):
        told = json.loads(fetch(f"http://127.0.0.1:{servers.port(number)}/api/rooms/{room}?limit=1000"))
        complete &= told["complete"]
        users |= {int(member["userId"]) for member in told["members"]}
    return complete, users


def all_know(servers, numbers, users, seconds):
    views = {}

    def equal():
        views.update({number: view(servers, number) for number in numbers})
        return all(seen == (True, users) for seen in views.values())
    try:
        wait_until(equal, f"servers {numbers} know the same {len(users)} members", seconds)
    except Problem as e:
        told = {n: (complete, len(seen), sorted(seen - users)[:5], sorted(users - seen)[:5]) for n, (complete, seen) in views.items()}
        counts = {n: re.findall(r"(?m)^chatflow_(people_\w+|lanes_died_total) (.*)", fetch(servers.admin(n) + "/metrics")) for n in numbers}
        raise Problem(f"{e}: complete, members, too many, too few: {told}; {counts}") from e


# --- attacks on a balancer ---------------------------------------------------------------------------------------

#: Maximum seconds of a balancer's answer under attack, if the machine allows it; and the number of requests.
PROMPT, QUESTIONS = 1, 10


@check("slowloris", "with 2,000 incomplete requests through HAProxy and nginx, /health still answers; 1,000 connections of one address leave slots for others",
       10, needs=("linux", "haproxy", "nginx"), uses_programs=True, mostly_waits=True)
def slowloris(run):
    """Runs both balancers with the files of infra/local, in front of a server that trusts them and limits addresses."""
    allow_files(8000)
    server = run.site.server(CHATFLOW_TRUSTED_PROXIES="127.0.0.1", CHATFLOW_MAX_PER_ADDRESS="200")
    told = []
    for balancer in (behind_haproxy, behind_nginx):
        url = balancer(run, int(server.http.rsplit(":", 1)[1]))
        wait_until(lambda at=url: get(at + "/health")[0] == 200, f"first answer {balancer.__name__}")
        with Peers(url) as peers:
            peers.half_heads(2000)
            took = min(seconds_of(url + "/health") for _ in range(QUESTIONS))
            expect(took < PROMPT, f"{balancer.__name__}: /health took {took:.2f} s at best")
        with Peers(url) as peers:
            codes = collections.Counter(peers.join(f"crowd-{i % 20}", i + 1, "127.0.0.2") for i in range(1000))
            run.say(f"{balancer.__name__}: {dict(codes)}")
            expect(codes == {0: 200, TOO_MANY: 800}, f"{balancer.__name__}: not 200 and the others {TOO_MANY}, but {dict(codes)}")
            others = [peers.join("others", i + 1, "127.0.0.3") for i in range(20)]
            expect(not any(others), f"{balancer.__name__}: others got {others}")
        wait_until(lambda: connections(server) == 0, "all have left")
        told.append(f"{balancer.__name__} {took * 1000:.0f} ms")
    return ", ".join(told)


@check("service", "1,000 users of a service from one address through HAProxy and nginx: exact, none rejected, with a limit of 200 for others", 30,
       needs=("linux", "haproxy", "nginx"), uses_programs=True)
def service(run):
    """Uses the limits of the shipped files; a service token is exempt from both."""
    key, token = run.directory / "token.key", run.directory / "service.token"
    for options, out in ((["--new-key", key], None), (["--key", key, "--service", "--ttl", "1h"], token)):
        made = run.site.java("token", "-jar", CLIENT, "token", *options)
        expect(made.wait() == 0, made.text())
        if out:
            out.write_text(made.text().strip(), encoding="utf-8")
    server = run.site.server(CHATFLOW_TRUSTED_PROXIES="127.0.0.1", CHATFLOW_MAX_PER_ADDRESS="200", CHATFLOW_RATE_LIMIT="50",
                             CHATFLOW_TOKEN_KEYS=key)
    told = []
    for balancer in (behind_haproxy, behind_nginx):
        url = balancer(run, int(server.http.rsplit(":", 1)[1]))
        wait_until(lambda at=url: get(at + "/health")[0] == 200, f"first answer {balancer.__name__}")
        counts = run.site.load([url.replace("http", "ws") + "/chat"], "--rooms", "20", "--room-size", "50", "--messages", "4",
                               "--token", f"@{token}").proved()["counts"]
        expect(counts["connectionsFailed"] == 0, counts)
        told.append(f"{balancer.__name__} {counts['deliveries']:,} deliveries")
    return ", ".join(told)


#: The HTTP status above a limit.
TOO_MANY = 429


def connections(server):
    return server.metrics()[next(name for name in server.metrics() if name.startswith("chatflow_connections{"))]


def seconds_of(url):
    started = time.monotonic()
    fetch(url, timeout=60)
    return time.monotonic() - started


def behind_haproxy(run, port):
    at, file = free_port(), run.directory / "haproxy.cfg"
    text = haproxy_config((ROOT / "infra/local/haproxy.cfg").read_text(encoding="utf-8"), at, [(1, port)], "shard")
    file.write_text(text.replace(f"127.0.0.1:{at + 10}", f"127.0.0.1:{free_port()}"), encoding="utf-8")
    run.site.start("HAProxy", "haproxy", "-db", "-f", file)
    return f"http://127.0.0.1:{at}"


def behind_nginx(run, port):
    at, place = free_port(), run.directory / "nginx"
    for name in ("logs", "temp"):
        (place / name).mkdir(parents=True)
    file = place / "nginx.conf"
    file.write_text(nginx_config((ROOT / "infra/local/nginx.conf").read_text(encoding="utf-8"), at, [(1, port)], "shard"), encoding="utf-8")
    run.site.start("nginx", "nginx", "-p", place, "-c", file, "-e", place / "logs/nginx.log", "-g", "daemon off;")
    return f"http://127.0.0.1:{at}"
