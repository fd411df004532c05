"""The programs that are measured, each in a process of its own, all on loopback, all stopped at the end."""
import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from . import proc

ROOT = Path(__file__).resolve().parent.parent.parent.parent
WAR = ROOT / "server/target/chatflow.war"
CLIENT = ROOT / "client/target/chatflow-client.jar"
CLIENT_JVM = ["-Xmx1g", "-XX:+UseParallelGC"]


def java():
    home = os.environ.get("JAVA_HOME", "")
    return str(Path(home) / "bin/java") if home else "java"


def class_path(module):
    """Classes, test classes and what they need, as the build wrote it down."""
    target = ROOT / module / "target"
    listed = target / "bench.classpath"
    if not listed.exists():
        sys.exit("nothing built: run ./chatflow build")
    return f"{target}/test-classes:{target}/classes:{listed.read_text().strip()}"


def get(url, user=None, timeout=5):
    request = urllib.request.Request(url)
    if user:
        request.add_header("Authorization", "Basic " + base64.b64encode(user.encode()).decode())
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return answer.read().decode()


class Steered:
    """A program that answers each line of input by one line of JSON, and ends with its input."""

    def __init__(self, module, main, *arguments, jvm=()):
        self.errors = tempfile.NamedTemporaryFile("w+", prefix="chatflow-bench-", suffix=".log")
        self.process = subprocess.Popen(
            [java(), *jvm, "-cp", class_path(module), main, *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.pid = self.process.pid

    def read(self):
        line = self.process.stdout.readline()
        while line and not line.startswith("{"):
            line = self.process.stdout.readline()
        if not line:
            sys.exit("a benchmark program ended:\n" + Path(self.errors.name).read_text()[-4000:])
        return json.loads(line)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        return self.read()

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Crowd(Steered):
    """Many connections in a closed loop, or just there."""

    def __init__(self):
        super().__init__("client", "dev.chatflow.client.bench.Crowd", jvm=CLIENT_JVM)


class Hall(Steered):
    """Rooms on Tomcat without a broker, by one way to fan out."""

    def __init__(self, variant, jvm):
        super().__init__("server", "dev.chatflow.server.bench.HallServer", variant, jvm=jvm)
        self.variant = variant
        self.url = self.read()["url"]


class RabbitMq:
    """An own node; gone at the end, data included."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="chatflow-bench-")
        os.chmod(self.directory, 0o755)
        self.script = str(ROOT / "infra/rabbitmq/test-broker")
        said = subprocess.run([self.script, "start", self.directory], check=False, text=True, capture_output=True)
        if said.returncode != 0:
            sys.exit(said.stderr.strip() + "; --broker embedded needs none")
        lines = dict(line.split("=", 1) for line in said.stdout.split())
        self.uri = lines["amqp"]
        management = re.fullmatch(r"http://(.*)@(.*)", lines["management"])
        self.user, self.management = management[1], "http://" + management[2]
        started = int(Path(self.directory, "node.started").read_text())
        self.pid = _beam_of(started)
        self.version = json.loads(get(self.management + "/api/overview", self.user))["rabbitmq_version"]

    def depth(self):
        queues = json.loads(get(self.management + "/api/queues?columns=name,messages_ready", self.user))
        return sum(q.get("messages_ready", 0) for q in queues if q["name"].startswith("chat.room."))

    def stop(self):
        subprocess.run([self.script, "stop", self.directory], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)


def _beam_of(pid):
    """The Erlang VM below a start script."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)
        except OSError:
            continue
        if "beam" in fields[0] and (int(fields[1].split()[1]) == pid or stat.parent.name == str(pid)):
            return int(stat.parent.name)
    return pid


def parsed(page):
    """Name with labels -> value, of a metrics page."""
    values = {}
    for line in page.splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            values[name] = float(value)
    return values


def total(metrics, name, having=""):
    return sum(v for k, v in metrics.items() if k.split("{")[0] == name and having in k)


class Server:
    """The packaged server; the embedded broker is in its JVM when no other is given."""

    def __init__(self, broker=None, jvm=(), **settings):
        environment = dict(os.environ, **{"CHATFLOW_" + key.upper(): str(value) for key, value in settings.items()})
        if broker:
            environment["CHATFLOW_AMQP_URI"] = broker.uri
        self.log = tempfile.NamedTemporaryFile("w+", prefix="chatflow-server-", suffix=".log")
        self.process = subprocess.Popen(
            [java(), *jvm, "-jar", str(WAR), "--port", "0", "--admin-port", "0"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, env=environment)
        self.pid = self.process.pid
        text = ""
        deadline = time.monotonic() + 60
        while not re.search(r"^ready", text, re.M):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                sys.exit("the server did not start:\n" + text)
            time.sleep(0.1)
            text = Path(self.log.name).read_text()
        self.chat = re.search(r"^ *chat +(\S+)", text, re.M)[1].removesuffix("/{room}")
        self.admin = re.search(r"^ *admin +(http://[^/]+)", text, re.M)[1]

    def metrics(self):
        return parsed(get(self.admin + "/metrics"))

    def stop(self):
        self.process.terminate()
        if self.process.wait(60) != 0:
            print(f"the server ended with {self.process.returncode}", file=sys.stderr)


class Sampler(threading.Thread):
    """Peaks of what is only there during a run."""

    def __init__(self, server, broker):
        super().__init__(daemon=True)
        self.server, self.broker = server, broker
        self.ended = threading.Event()
        self.peak = dict(lane=0, depth=0, unacked=0, log=0, heap=0, paused=0, threads=0)

    def run(self):
        while not self.ended.wait(0.5):
            try:
                m = self.server.metrics()
                seen = dict(
                    lane=total(m, "chatflow_lane_messages"), unacked=total(m, "chatflow_consumer_unacked"),
                    log=total(m, "chatflow_room_log_bytes") / 1024, paused=total(m, "chatflow_sessions_paused"),
                    heap=total(m, "jvm_memory_used_bytes", 'area="heap"') / 2**20,
                    threads=proc.threads(self.server.pid), depth=self.broker.depth() if self.broker else 0)
                self.peak = {k: max(v, seen[k]) for k, v in self.peak.items()}
            except (OSError, http.client.HTTPException):
                pass  # a sample less


def histogram_quantile(histogram, before, after, share):
    """Upper bound of the bucket that holds this share of what was added, by all servers together."""
    buckets = {}
    for name, value in after.items():
        bound = re.search(rf'^{histogram}_bucket.*le="([^"]+)"', name)
        if bound:
            upper = float(bound[1].replace("+Inf", "inf"))
            buckets[upper] = buckets.get(upper, 0) + value - before.get(name, 0)
    for bound, count in sorted(buckets.items()):
        if count >= share * max(buckets.values()):
            return bound
    return 0


def run_client(server, broker, options):
    """One run of the load client with its proof, as a row."""
    before = server.metrics()
    sampler = Sampler(server, broker)
    sampler.start()
    process = subprocess.Popen(
        [java(), *CLIENT_JVM, "-jar", str(CLIENT), "run", "--format", "json", "--quiet", "-o", "none",
         *options, server.chat], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    window = proc.Window(server=server.pid, broker=broker.pid if broker else None)
    children = proc.children_seconds()
    out, errors = process.communicate()
    _, cpu, foreign = window.close(ended=proc.children_seconds() - children)
    sampler.ended.set()
    after = server.metrics()
    try:
        run = json.loads(out)
    except json.JSONDecodeError:
        sys.exit(f"the client failed ({process.returncode}):\n{out}{errors}")
    return dict(client_row(run, cpu, before, after, sampler.peak), foreign=foreign)


def client_row(run, cpu, before, after, peak):
    deliveries = run["counts"]["deliveries"] or 1
    latency = run["latencyMicros"]["delivery"]["service"]
    response = run["latencyMicros"]["delivery"].get("response", latency)
    grown = {k: total(after, k) - total(before, k)
             for k in ("chatflow_deliveries_total", "chatflow_writes_total", "chatflow_slow_closed_total",
                       "jvm_gc_memory_allocated_bytes_total")}
    return dict(
        peak, seconds=run["rates"]["windowSeconds"], deliveries=deliveries / run["rates"]["windowSeconds"],
        e2e=1000 * histogram_quantile("chatflow_e2e_seconds", before, after, 0.99), p50=response.get("p50", 0) / 1000, p99=response.get("p99", 0) / 1000,
        frames=grown["chatflow_deliveries_total"] / max(1, grown["chatflow_writes_total"]),
        server=cpu["server"] / deliveries * 1e6, client=run["client"]["cpuMicrosPerDelivery"],
        broker=cpu.get("broker", 0) / deliveries * 1e6, slow=grown["chatflow_slow_closed_total"],
        allocated=grown["jvm_gc_memory_allocated_bytes_total"] / deliveries, verdict=verdict(run["verdict"]))


SATURATED = 6


def verdict(judged):
    """`exact` and what may follow when every delivery was right; else the client's headline."""
    if judged["exitCode"] == SATURATED:
        return "exact, client saturated"
    return judged["headline"] if judged["exitCode"] else "exact"
