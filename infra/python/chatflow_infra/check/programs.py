"""Tests the packaged programs: verified loads, audits, errors reported in one line, an exhausted heap."""
import collections
import json
import os
import re
import subprocess
import time
from pathlib import Path

from ..common import CHAT, CLIENT, CONSUMER, LAUNCHER, ROOT, WAR, call, expect, fetch, get, java, jvm, own_environment, wait_until
from ..peers import Peers, allow_files
from ..programs import total
from .registry import DEFAULT, check

SMALL = ["--rooms", "8", "--room-size", "10", "--messages", "100"]
#: JOIN, LEAVE and a hundred texts of 80 users.
SENT = 80 * 102


def loaded(run, *options, broker=None):
    """Runs a small verified load, then a clean stop."""
    server = run.site.server(*options, broker=broker, CHATFLOW_STATUS_INTERVAL="500ms")
    try:
        result = run.site.load(server.chats, *SMALL).proved()
        sent, deliveries = result["counts"]["sent"], result["counts"]["deliveries"]
        status = server.end()
        expect(status == 0, f"the server ended with {status}")
        expect(sent == SENT, f"sent {sent}, not {SENT}")
        said = server.text()
        expect(re.search(r"StatusLog: .* members.* circuit CLOSED; in [0-9,.]*/s, out ", said), "no status line")
        expect("circuit OPEN, was CLOSED" not in said, "a deliberate stop was reported as a loss")
        return f"{deliveries:,} deliveries"
    finally:
        run.say(server.text())


@check("load", "verified load, embedded broker", 10, when=DEFAULT, uses_programs=True)
def load(run):
    return loaded(run)


@check("load-two", "verified load, two servers, embedded broker", 15, uses_programs=True)
def load_two(run):
    return loaded(run, "--servers", "2")


@check("load-rabbitmq", "verified load, RabbitMQ", 10, needs=("rabbitmq",), uses_programs=True)
def load_rabbitmq(run):
    return loaded(run, broker=run.session.rabbitmq().uri())


@check("load-two-rabbitmq", "verified load, two servers, RabbitMQ", 15, needs=("rabbitmq",), uses_programs=True)
def load_two_rabbitmq(run):
    return loaded(run, "--servers", "2", broker=run.session.rabbitmq().uri())


@check("load-quiet", "verified load in quiet rooms: the client does not wait for JOINs that only their own connection receives", 15, uses_programs=True)
def load_quiet(run):
    """Members on two servers, some of which are disconnected and return; each JOIN would wait 10 s for the others."""
    server = run.site.server("--servers", "2", CHATFLOW_QUIET_ROOM="5")
    result = run.site.load(server.chats, *SMALL, "--verify", "total-order", "--churn", "10%/1s", "--resume", "--rate", "200",
                           "--duration", "5s").proved(120)
    counts = result["counts"]
    expect(counts["quietCopies"] > 0, "no room was quiet")
    expect(counts["resumed"] == counts["reconnections"] > 0, f"{counts['resumed']} of {counts['reconnections']} resumed")
    expect("JOINs and LEAVEs were not checked" in result["verdict"]["headline"], result["verdict"]["headline"])
    exact = run.site.load(server.chats, *SMALL).proved(60)
    expect(exact["counts"]["deliveries"] == exact["plan"]["expectedDeliveries"], "wrong number of deliveries")
    return f"{counts['quietCopies'] + exact['counts']['quietCopies']:,} copies suppressed"


def audited(run, *options):
    """Checks that the packaged consumer recorded the messages of a small load, for each room and sender."""
    said = call(LAUNCHER, "demo", "--audit", *options, *SMALL, "--quiet", environment=own_environment())
    run.say(said)
    where = Path(re.search(r"(?m)^report: (.*)/report\.txt$", said)[1])
    sent = json.loads((where / "load/summary.json").read_text(encoding="utf-8"))["counts"]["sent"]
    expect(sent == SENT, f"sent {sent}, not {SENT}")
    expect("AUDIT PASS" in said and f"{SENT:,} recorded" in said, "the audit does not report equal counts")
    ready = re.findall(r"(?m)^ready.*$", said)
    expect(len(ready) == 2 and not any(line.endswith(("after", "after ")) for line in ready), f"half-read lines: {ready}")
    return f"{sent:,} recorded"


@check("audit", "the consumer's audit of a load, embedded broker", 15, uses_programs=True)
def audit(run):
    return audited(run)


@check("audit-rabbitmq", "the consumer's audit of a load, RabbitMQ", 15, needs=("rabbitmq",), uses_programs=True)
def audit_rabbitmq(run):
    return audited(run, "--broker", run.session.rabbitmq().uri())


# --- mistakes: one line of explanation, no stack trace ------------------------------------------------------------------


def refused(run, status, pattern, *command, environment=None):
    """Checks the status and a single line of explanation."""
    done = subprocess.run([str(word) for word in command], env=environment or own_environment(), text=True, timeout=120,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    run.say(done.stdout)
    expect(done.returncode == status, f"status {done.returncode} instead of {status}\n{done.stdout}")
    lines = re.findall(r"(?m)^chatflow: .*$", done.stdout)
    expect(len(lines) == 1, f"{len(lines)} lines of explanation")
    expect(not re.search(r"(?m)^\tat ", done.stdout), "a stack trace")
    expect(re.search(pattern, lines[0]), f"does not report: {pattern}")


@check("mistakes", "invalid keys, options, ports, shards and brokers are each reported in one line", 20, uses_programs=True)
def mistakes(run):
    war = [java(), "-jar", WAR]
    refused(run, 2, "CHATFLOW_LANE_PLACE", *war, environment=own_environment(CHATFLOW_LANE_PLACE="5ms"))
    refused(run, 2, "--prot", *war, "--prot", "80")
    refused(run, 2, "CHATFLOW_CONSUMER_PREFETCH", java(), "-jar", CONSUMER, "--check",
            environment=own_environment(CHATFLOW_CONSUMER_PREFETCH="0"))
    server = run.site.server()
    port = server.http.rsplit(":", 1)[1]
    refused(run, 1, f"port {port} is in use", *war, "--port", port, "--admin-port", "0")


@check("other-shards", "a number of shards other than the cluster's is rejected in one line", 10, needs=("rabbitmq",), uses_programs=True)
def other_shards(run):
    broker = run.session.rabbitmq().uri()
    run.site.server(broker=broker).end()  # the cluster's number is the default
    refused(run, 1, "shards", java(), "-jar", WAR, "--port", "0", "--admin-port", "0",
            environment=own_environment(CHATFLOW_SHARDS=63, CHATFLOW_AMQP_URI=broker))


@check("without-broker", "a server without its broker waits and stops on request", 5, uses_programs=True)
def without_broker(run):
    server = run.site.server("--broker", "amqp://127.0.0.1:1", is_awaited=False)
    server.await_line(r"^not ready yet: publisher connection \w+: .* \(broker: amqp://127\.0\.0\.1:1\)")
    status = server.end()
    run.say(server.text())
    expect(status == 0 and "ERROR" not in server.text(), f"ended with {status}, or complained")


@check("discreet", "a server reveals nothing about its container, and serves no classes of its launcher", 5, uses_programs=True)
def discreet(run):
    server = run.site.server()
    for path, expected in (("/nothing", 404), ("/a%2fb", 404), ("/api/rooms/%zz", 400), ("/Main.class", 403), ("/WEB-INF/web.xml", 404)):
        status, text = get(server.http + path)
        expect(status == expected and not re.search("tomcat|apache|java", text, re.I), f"{path}: {status} {text[:500]}")


@check("no-jdk", "a missing JDK 25 and an older JVM are reported in one line", 2, uses_programs=True)
def no_jdk(run):
    """Simulates a machine without a JDK and with only the required tools in PATH."""
    programs = run.directory / "bin"
    programs.mkdir()
    for name in ("dirname", "find", "head"):
        (programs / name).symlink_to(call("sh", "-c", f"command -v {name}").strip())
    bash = call("sh", "-c", "command -v bash").strip()
    refused(run, 3, "JDK 25 not found", bash, LAUNCHER, "up",
            environment={"HOME": "/nonexistent", "PATH": str(programs), "JDK_SEARCH_ROOT": "/nonexistent"})
    for older in sorted(Path("/usr/lib/jvm").glob("*/bin/java")):
        if re.search(r'"(11|17|21)\.', call(older, "-version")):
            for program in (WAR, CLIENT, CHAT, CONSUMER):
                refused(run, 3, "needs Java 25", older, "-jar", program)
            tomcat_on(older, run)
            return f"older: {older.parts[-3]}"
    return "no older JVM here"


def tomcat_on(older, run):
    """Checks that setenv.sh rejects an unsuitable Java in one line, before Tomcat reports its start."""
    home = older.parents[1]
    script = f'. "{ROOT}/infra/tomcat/setenv.sh"; echo started'
    for verb, expected in (("start", "needs Java 25 or newer"), ("stop", "started")):
        said = subprocess.run(["sh", "-c", f'set -- {verb}; {script}'], text=True, capture_output=True, check=False,
                              env={"PATH": os.environ["PATH"], "CATALINA_BASE": str(run.directory), "JAVA_HOME": str(home)})
        told = said.stdout + said.stderr
        expect(expected in told and len(told.splitlines()) == 1, f"{verb}: {told}")


# --- an exhausted heap -------------------------------------------------------------------------------------------

#: Exit status by -XX:+ExitOnOutOfMemoryError.
EXHAUSTED = 3

#: Close code of connections above the limit.
FULL = 1013


class Supervisor:
    """Restarts a server as its unit does: on failure, after RestartSec."""

    def __init__(self, run, start):
        unit = (ROOT / "infra/systemd/chatflow.service").read_text(encoding="utf-8")
        settings = dict(re.findall(r"(?m)^(Restart\w*|SuccessExitStatus)=(.*)$", unit))
        expect(settings["Restart"] == "on-failure", f"the unit has Restart={settings['Restart']}")
        self.pause, self.success = float(settings["RestartSec"]), {0, int(settings["SuccessExitStatus"])}
        self.run, self.start, self.server = run, start, start()

    def await_restart(self):
        """Waits for the restart and returns the exit status before it."""
        status = self.server.wait(180)
        self.run.say(f"ended with {status}:", self.server.text()[-3000:])
        expect(status not in self.success, f"status {status} is no failure for the unit, which would not restart it")
        time.sleep(self.pause)
        self.server = self.start()
        return status


@check("heap", "a server with an exhausted heap exits, is restarted as by its unit, and serves", 15, needs=("linux",), uses_programs=True)
def heap(run):
    """Starts it like ./chatflow up, but with 32 MB, and exhausts the heap with incomplete requests, which no limit counts."""
    supervisor = Supervisor(run, lambda: run.site.server(memory=["-Xmx32m", *jvm("SERVER"), "-Xmn8m"], is_awaited=False))
    supervisor.server.await_line("^ready")
    allow_files(8000)
    with Peers(supervisor.server.http) as peers:
        peers.half_heads(4000)
        status = supervisor.await_restart()
    expect(status == EXHAUSTED, f"ended with {status}, not {EXHAUSTED}")
    again = supervisor.server
    again.await_line("^ready")
    result = run.site.load(again.chats, "--rooms", "2", "--room-size", "5", "--messages", "20").proved()
    return f"status {status}, then {result['counts']['deliveries']:,} verified deliveries"


@check("memory", "a server accepts as many connections as its heap allows, serves all of them and rejects others: 2,000 at 64 MB", 20,
       needs=("linux",), uses_programs=True)
def memory(run):
    """Starts it like ./chatflow up, but with 64 MB, with which 2,000 members once made it hang."""
    server = run.site.server(memory=["-Xmx64m", *jvm("SERVER")])
    limit = int(total(server.metrics(), "chatflow_connections_limit"))
    expect(500 < limit < 2000, f"{limit} connections are accepted: this check needs a lower limit")
    result = run.site.load(server.chats, "--rooms", limit // 50, "--room-size", "50", "--messages", "5", "--connect-rate", "1000",
                           "--in-flight", "16", "--slo", "none").proved()
    wait_until(lambda: total(server.metrics(), "chatflow_connections") == 0, "the load has ended")
    allow_files(4000)
    with Peers(server.http) as peers:
        codes = collections.Counter(peers.join(i // 50 + 1, i + 1) for i in range(2000))
        run.say(f"limit {limit}, answers {dict(codes)}", server.text()[-2000:])
        expect(codes == {0: limit, FULL: 2000 - limit}, f"not {limit} members and the others closed with {FULL}, but {dict(codes)}")
        fetch(server.http + "/health")
        refused_here = total(server.metrics(), "chatflow_connections_refused_total", 'reason="memory"')
        expect(refused_here == codes[FULL], f"{refused_here:.0f} of {codes[FULL]} rejections are counted")
    wait_until(lambda: total(server.metrics(), "chatflow_connections") == 0, "the crowd has left")
    run.site.load(server.chats, "--rooms", "2", "--room-size", "5", "--messages", "20").proved()
    return f"{limit} accepted: {result['counts']['deliveries']:,} proved deliveries, {codes[FULL]} told {FULL}"
