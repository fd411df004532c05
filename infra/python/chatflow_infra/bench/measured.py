"""Runs one window: the load client or a crowd against the servers of a row. Returns the figures that columns can use."""
import contextlib
import http.client
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

from .. import proc
from ..common import CLIENT, LAB, Problem, expect, fetch, java, jvm, wait_until
from ..programs import SATURATED, total
from .fleet import CLIENT_EYES, added_up
from .plan import value_of, wire

#: A row describes the servers only if broker and client stayed below this share of their quota.
BUSY = 0.8
#: A server with less than this part of a fair share of messages was left out by mistake.
FAIR = 0.8
#: Open files of a process in addition to its connections.
SPARE_FILES = 500


class Crowd:
    """The lab's crowd, which answers each input line with one line of JSON and ends with its input."""

    def __init__(self):
        expect(LAB.exists(), "the lab is not built: ./chatflow bench builds it")
        self.errors = tempfile.NamedTemporaryFile("w+", prefix="chatflow-bench-", suffix=".log")
        self.process = subprocess.Popen(
            [java(), *jvm("CLIENT"), "-cp", f"{LAB}:{CLIENT}", "dev.chatflow.lab.crowd.CrowdMain"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.pid = self.process.pid

    def ask(self, command, values):
        """Returns the crowd's tally after a command; raises Problem on failure."""
        self.process.stdin.write(f"{command} {json.dumps(values)}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        expect(line, "the crowd ended:\n" + Path(self.errors.name).read_text(encoding="utf-8")[-4000:])
        answer = json.loads(line)
        expect(not answer["failure"], f"{command}: {answer['failure']}")
        return answer

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Neighbour(contextlib.ExitStack):
    """A process of another program that uses a share of the machine, in slices of 10 ms, during the measurement."""

    SHARE = 0.4
    CODE = ("import sys, time\nshare = float(sys.argv[1])\n"
            "while True:\n    end = time.monotonic() + 0.01 * share\n    while time.monotonic() < end: pass\n"
            "    time.sleep(0.01 * (1 - share))")

    def __init__(self, is_there):
        super().__init__()
        cores = proc.CORES * self.SHARE if is_there else 0
        workers = [subprocess.Popen([sys.executable, "-c", self.CODE, str(cores / math.ceil(cores))]) for _ in range(math.ceil(cores))]
        self.pids = {f"neighbour-{i}": worker.pid for i, worker in enumerate(workers)}
        for worker in workers:
            self.callback(worker.wait)
            self.callback(worker.kill)


class Sampler(threading.Thread):
    """Samples the meters of the servers twice a second within a `with`, if any column needs them."""

    def __init__(self, fleet, is_wanted):
        super().__init__(daemon=True)
        self.fleet, self.is_wanted, self.seen, self.ended = fleet, is_wanted, [], threading.Event()

    def __enter__(self):
        if self.is_wanted:
            self.start()
        return self

    def run(self):
        while not self.ended.wait(0.5):
            with contextlib.suppress(Problem, OSError, http.client.HTTPException):  # a missing sample
                self.seen.append(added_up(self.fleet.pages()))

    def __exit__(self, *_):
        self.ended.set()
        if self.is_wanted:
            self.join()


class Meters:
    """The counts of servers between two reads of their pages."""

    def __init__(self, before, after, seen=()):
        self.before, self.after, self.seen = before, after, seen

    def meter(self, name, having=""):
        """Returns the increase of a counter."""
        return total(self.after, name, having) - total(self.before, name, having)

    def mean(self, name, having=""):
        """Returns the mean of a histogram's new values, in its unit."""
        return self.meter(f"{name}_sum", having) / (self.meter(f"{name}_count", having) or 1)

    def quantile(self, name, share, having=""):
        """Returns the upper bound of the bucket with this share of a histogram's new values."""
        buckets = {}
        for key, value in self.after.items():
            bound = re.search(rf'^{name}_bucket.*le="([^"]+)"', key)
            if bound and having in key:
                upper = float(bound[1].replace("+Inf", "inf"))
                buckets[upper] = buckets.get(upper, 0) + value - self.before.get(key, 0)
        return next((bound for bound, count in sorted(buckets.items()) if count >= share * max(buckets.values())), 0)

    def peak(self, name, having=""):
        """Returns the maximum observed value."""
        return max((total(page, name, having) for page in self.seen), default=None)

    def names(self):
        return dict(meter=self.meter, mean=self.mean, quantile=self.quantile, peak=self.peak)


def cpu_of(seconds):
    """CPU seconds by process, with all servers as one; None for a missing process."""
    servers = [used for name, used in seconds.items() if name.startswith("server")]
    known = dict.fromkeys(("server", "broker", "client", "balancer", "consumer"))
    return SimpleNamespace(**known | seconds | {"server": sum(servers), "least": min(servers, default=None)})


def named(data):
    """Converts objects of a result to namespaces, so that columns can use run.counts.deliveries."""
    return json.loads(json.dumps(data), object_hook=lambda each: SimpleNamespace(**each))


class Shares:
    """Sets CPU quotas of broker and load client, for benchmarks whose servers have one."""

    def __init__(self, common, quota, broker):
        self.cpu = {name: common[f"{name}_cpu"] for name in ("broker", "client") if common[f"{name}_cpu"]}
        self.groups = {name: quota(f"chatflow-bench-{name}-{broker.pid}", cpu) for name, cpu in self.cpu.items()}
        if "broker" in self.groups:
            self.groups["broker"].take(broker.pid)
        self.limit(False)

    def limit(self, is_limited):
        for name, group in self.groups.items():
            group.limit(self.cpu[name] if is_limited else None)
            group.prefer(is_limited)

    def take_client(self, pid):
        if "client" in self.groups:
            self.groups["client"].take(pid)

    def remove(self):
        for group in self.groups.values():
            group.remove()


def run_client(site, fleet, options, setting, shares=None, samples=False):
    """Runs the load client, which checks every delivery; returns the names for columns."""
    before, of_consumer, recorded, periods = fleet.pages(), fleet.consumer_page(), _recorded(fleet), fleet.throttled()
    with Sampler(fleet, samples) as sampler, Neighbour(setting["neighbour"] == "yes") as beside:
        pids = fleet.pids()
        window, children = proc.Window(**pids, **beside.pids), proc.children_seconds()
        eyes = CLIENT_EYES if shares else []
        load = site.load(fleet.urls(), *options, program=[java(), *jvm("CLIENT"), *eyes, "-jar", CLIENT])
        if shares:
            shares.take_client(load.pid)
        trace = proc.Trace(dict(pids, client=load.pid))
        trace.start()
        try:
            ran = load.result(1800)
        finally:
            trace.end()
        wall, cpu, foreign = window.close(ended=proc.children_seconds() - children)
    ended = time.monotonic()
    written, waited = _written(fleet, recorded, ran), time.monotonic() - ended
    pages = fleet.pages()
    latency = ran["latencyMicros"]["delivery" if ran["latencyMicros"]["delivery"]["service"]["count"] else "echo"]
    seconds = ran["rates"]["windowSeconds"]
    taken = [total(after, "chatflow_messages_total", FROM_CLIENTS) - total(one, "chatflow_messages_total", FROM_CLIENTS)
             for one, after in zip(before, pages)]
    held = [now - then for now, then in zip(fleet.throttled(), periods)]
    figures = Meters(added_up([*before, of_consumer]), added_up([*pages, fleet.consumer_page()]), sampler.seen).names() | dict(
        setting, run=named(ran), seconds=seconds, wall=wall, foreign=foreign, cpu=cpu_of(cpu), busy=cpu_of(trace.busiest(seconds, "server")),
        latency=SimpleNamespace(**dict.fromkeys(("mean", "p50", "p99")) | latency.get("response", latency["service"])),
        messages=sum(taken) or None, deliveries=ran["counts"]["deliveries"] or None, recorded=written, record_seconds=seconds + waited,
        copies=ran["counts"]["textDeliveries"] or ran["counts"]["accepted"] or None,
        throttled=held[1] if held[0] else None, held=100 * held[1] / held[0] if held[0] else None)
    return figures | dict(verdict=judged(ran["verdict"], taken, figures, shares))


FROM_CLIENTS = 'direction="in",peer="client"'


def _recorded(fleet):
    return json.loads(fetch(fleet.api + "/api/stats"))["totals"]["recorded"] if fleet.consumer else None


def _written(fleet, before, ran):
    """Returns the rows of the consumer once it has recorded all accepted messages."""
    if before is None:
        return None
    wait_until(lambda: _recorded(fleet) - before >= ran["counts"]["accepted"], "everything is recorded", 600)
    return _recorded(fleet) - before


def judged(verdict, taken, figures, shares):
    """Returns `exact` with the bottleneck; else the client's headline."""
    said = "exact" if not verdict["exitCode"] else "exact, client saturated" if verdict["exitCode"] == SATURATED else verdict["headline"]
    if len(taken) > 1 and min(taken) < FAIR * sum(taken) / len(taken):
        said = f"FAIL messages by server {taken}, {said}"
    used = {name: getattr(figures["busy"], name) / figures["seconds"] / cpu for name, cpu in (shares.cpu if shares else {}).items()}
    return said + "".join(f", {name} near its share" for name, share in used.items() if share > BUSY)


class Crowds:
    """The crowds of a row: one, or one per server with separate rooms."""

    def __init__(self, site, count):
        self.crowds = [site.keep(Crowd()) for _ in range(count)]
        self.pids = {f"client{n}" if n else "client": crowd.pid for n, crowd in enumerate(self.crowds)}

    def ask(self, command, values, chats):
        with ThreadPoolExecutor(len(self.crowds)) as pool:
            answers = list(pool.map(lambda n: self.crowds[n].ask(command, self._of(n, command, values, chats)), range(len(self.crowds))))
        return {name: self._together(name, [one[name] for one in answers]) for name in answers[0]}

    def _of(self, number, command, values, chats):
        if command != "open" or len(self.crowds) == 1:
            return values
        return values | dict(servers=[chats[number % len(chats)]], firstRoom=values["firstRoom"] + number * values["rooms"],
                             connectRate=values["connectRate"] / len(self.crowds))

    @staticmethod
    def _together(name, values):
        if name == "failure":
            return next(filter(None, values), "")
        return all(values) if name == "exact" else max(values) if name in ("seconds", "p50", "p99", "allP50", "allP99") else sum(values)


def run_crowd(fleet, crowds, steps, setting, speakers=None, others=()):
    """Runs the steps of a crowd; returns the tally, CPU seconds, memory and times of each."""
    figures, foreign, told = dict(setting), 0.0, []
    with Neighbour(setting["neighbour"] == "yes") as beside:
        for step in steps:
            pids = fleet.pids() | crowds.pids | beside.pids | dict(others) | (dict(speakers=speakers.pid) if speakers else {})
            window, began = proc.Window(**pids), time.monotonic()
            tally = _step(fleet, crowds, step, setting, speakers)
            seconds, cpu, others_used = window.close()
            foreign = foreign if "server" in step else max(foreign, others_used)  # a process starts or ends in such a step
            told += [tally] if tally else []
            figures[step["name"]] = SimpleNamespace(**dict(tally, tookSeconds=seconds, began=began, ended=time.monotonic(), cpu=cpu_of(cpu),
                                                           rss=fleet.rss_kb(), threads=sum(map(proc.threads, fleet.server_pids())),
                                                           live=_live(fleet) if step.get("collect") else None))
    verdict = "exact" if told[-1]["exact"] and not told[-1]["notResumed"] else f"FAIL: {told[-1]}"
    return figures | dict(foreign=foreign, verdict=verdict)


def _live(fleet):
    """Returns the live KB of the heaps. Read RSS before, because a full collection touches memory."""
    return sum(proc.live_heap_kb(pid, Path(java()).with_name("jcmd")) for pid in fleet.server_pids())


def _check_files(connections):
    """Raises Problem with a solution if this machine does not allow a process so many connections."""
    allowed, needed = resource.getrlimit(resource.RLIMIT_NOFILE)[0], connections + SPARE_FILES
    expect(allowed >= needed, f"{connections:,} connections need {needed:,} open files a process, allowed are {allowed:,}: "
                              "ulimit -n, as root ulimit -Hn, or fewer rooms")


def _step(fleet, crowds, step, setting, speakers):
    """Runs a step: a wait, a stop or start of the server, or a command of the crowd."""
    if "wait" in step:
        time.sleep(value_of(step["wait"], setting))
    elif "server" in step:
        (fleet.end if step["server"] == "stop" else fleet.start)()
    else:
        command = next(name for name in ("open", "speak", "back", "close") if name in step)
        values = {key: value_of(value, setting) for key, value in step[command].items()}
        if command == "open":
            _check_files(values["rooms"] * values["members"])
            values = dict(wire=wire(setting["wire"]), servers=fleet.chats(), connectRate=0, firstRoom=1, bytes=100, speakers=1) | values
            values |= dict(speakersAt=speakers.chat) if speakers else {}
        before = [proc.descriptors(pid) for pid in fleet.server_pids()]
        tally = crowds.ask(command, values, fleet.chats())
        if command == "close":
            for pid, count in zip(fleet.server_pids(), before):
                proc.await_settled(pid, count - tally["all"] // len(before))
        return tally
    return {}
