"""What is measured: programs of the lab that are steered line by line, and runs of the load client as rows."""
import contextlib
import http.client
import json
import math
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from .. import proc
from ..common import CLIENT, LAB, Problem, expect, java, jvm
from ..programs import SATURATED, total


class Steered:
    """A program of the lab that answers each line of input by one line of JSON, and ends with its input."""

    def __init__(self, main, *arguments, jvm_options=(), more_jars=()):
        expect(LAB.exists(), "the lab is not built: ./chatflow bench builds it")
        self.errors = tempfile.NamedTemporaryFile("w+", prefix="chatflow-bench-", suffix=".log")
        self.process = subprocess.Popen(
            [java(), *jvm_options, "-cp", ":".join(map(str, [LAB, *more_jars])), "dev.chatflow.lab." + main, *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.pid = self.process.pid

    def read(self):
        line = self.process.stdout.readline()
        while line and not line.startswith("{"):
            line = self.process.stdout.readline()
        if not line:
            raise Problem("a benchmark program ended:\n" + Path(self.errors.name).read_text()[-4000:])
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
        super().__init__("load.Crowd", jvm_options=jvm("CLIENT"), more_jars=[CLIENT])


class Blaster(Steered):
    """A server that costs little and writes a chosen number of frames at once."""

    def __init__(self, frames):
        super().__init__("load.Blaster", frames, jvm_options=["-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=12g"])
        self.url = self.read()["url"]


class Driver(Steered):
    """Rooms of members against servers of several protocols, each delivery judged."""

    def __init__(self):
        super().__init__("driver.Driver", jvm_options=jvm("CLIENT"), more_jars=[CLIENT])


class Listening(Steered):
    """Very many connections that mostly listen, each message counted."""

    def __init__(self):
        super().__init__("listen.Listening", jvm_options=jvm("CLIENT"), more_jars=[CLIENT])

    def ask(self, *words):
        told = super().ask(*words)
        expect(not told["failure"], f"{words[0]}: {told['failure']}")
        return told


class Sampler(threading.Thread):
    """Peaks of what is only there during a run."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.ended = threading.Event()
        self.peak = dict(lane=0, unacked=0, log=0, heap=0, paused=0, threads=0)

    def end(self):
        self.ended.set()
        self.join()

    def run(self):
        while not self.ended.wait(0.5):
            with contextlib.suppress(Problem, OSError, http.client.HTTPException):  # a sample less
                m = self.server.metrics()
                seen = dict(
                    lane=total(m, "chatflow_lane_messages"), unacked=total(m, "chatflow_consumer_unacked"),
                    log=total(m, "chatflow_room_log_bytes") / 1024, paused=total(m, "chatflow_sessions_paused"),
                    heap=total(m, "jvm_memory_used_bytes", 'area="heap"') / 2**20,
                    threads=proc.threads(self.server.pid))
                self.peak = {k: max(v, seen[k]) for k, v in self.peak.items()}


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


class Neighbour:
    """A process that takes a third of the machine, in slices of 10 ms: somebody else's, beside what is measured."""

    SHARE = 1 / 3
    CODE = ("import sys, time\nshare = float(sys.argv[1])\n"
            "while True:\n    end = time.monotonic() + 0.01 * share\n    while time.monotonic() < end: pass\n"
            "    time.sleep(0.01 * (1 - share))")

    def __init__(self):
        cores = proc.CORES * self.SHARE
        workers = math.ceil(cores)
        self.workers = [subprocess.Popen([sys.executable, "-c", self.CODE, str(cores / workers)]) for _ in range(workers)]
        self.pids = {f"neighbour-{i}": worker.pid for i, worker in enumerate(self.workers)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for worker in self.workers:
            worker.kill()
            worker.wait()


#: Without and with a neighbour, by turns where that is asked for.
NEIGHBOURS = {False: ("no",), True: ("no", "yes")}


def run_client_beside(neighbour, *arguments):
    """The same as run_client, for "yes" beside a neighbour, whose CPU is not others'."""
    if neighbour == "no":
        return run_client(*arguments)
    with Neighbour() as beside:
        return run_client(*arguments, beside=beside.pids)


def run_client(site, server, broker, options, beside=None):
    """One run of the load client with its proof, as a row."""
    before = server.metrics()
    sampler = Sampler(server)
    sampler.start()
    try:
        window = proc.Window(server=server.pid, broker=broker.pid if broker else None, **(beside or {}))
        children = proc.children_seconds()
        run = site.load([server.chat], *options, memory=jvm("CLIENT")).result()
        _, cpu, foreign = window.close(ended=proc.children_seconds() - children)
    finally:
        sampler.end()
    return dict(client_row(run, cpu, before, server.metrics(), sampler.peak), foreign=foreign)


def client_row(run, cpu, before, after, peak):
    deliveries = run["counts"]["deliveries"] or 1
    latency = run["latencyMicros"]["delivery"]["service"]
    response = run["latencyMicros"]["delivery"].get("response", latency)
    grown = {k: total(after, k) - total(before, k)
             for k in ("chatflow_deliveries_total", "chatflow_writes_total", "chatflow_slow_closed_total",
                       "chatflow_flight_messages_count", "chatflow_flight_messages_sum", "jvm_gc_memory_allocated_bytes_total")}
    return dict(
        peak, seconds=run["rates"]["windowSeconds"], deliveries=deliveries / run["rates"]["windowSeconds"],
        e2e=1000 * histogram_quantile("chatflow_e2e_seconds", before, after, 0.99), p50=response.get("p50", 0) / 1000,
        p99=response.get("p99", 0) / 1000,
        frames=grown["chatflow_deliveries_total"] / max(1, grown["chatflow_writes_total"]),
        lines=grown["chatflow_flight_messages_sum"] / max(1, grown["chatflow_flight_messages_count"]),
        server=cpu["server"] / deliveries * 1e6, client=run["client"]["cpuMicrosPerDelivery"],
        broker=cpu.get("broker", 0) / deliveries * 1e6, slow=grown["chatflow_slow_closed_total"],
        allocated=grown["jvm_gc_memory_allocated_bytes_total"] / deliveries, verdict=verdict(run["verdict"]))


def verdict(judged):
    """`exact` and what may follow when every delivery was right; else the client's headline."""
    if judged["exitCode"] == SATURATED:
        return "exact, client saturated"
    return judged["headline"] if judged["exitCode"] else "exact"
