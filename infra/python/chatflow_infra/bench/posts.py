"""Messages by HTTP: how many a second, what one costs, when it is answered; wrk drives them."""
import re
import shutil
import subprocess
from pathlib import Path

from .. import proc
from ..common import expect
from ..programs import Site
from .report import Report
from .whole import broker_of, named, server_of

SCRIPT = Path(__file__).with_name("posts.lua")


def posts(options):
    """Each is answered 201 when it has been read back from the log: the time to that answer."""
    expect(shutil.which("wrk"), "bench posts needs wrk (package wrk)")
    report = Report("posts", [("with", "broker"), ("posts", "posts/s"), ("p50", "p50 ms"), ("p99", "p99 ms"), ("server", "server µs a post"),
                              ("broker", "broker µs a post"), ("windows", "windows"), ("verdict", "verdict")],
                    f"{options.in_flight} connections, each with one post under way, 1,000 users, 20 rooms without members, "
                    f"-Xmx{options.heap}, {options.repeat} windows of {options.seconds} s on a server warmed for {options.settle} s",
                    options.docs)
    for name in options.brokers.split(","):
        with Site() as site:
            broker = broker_of(site, name)
            with server_of(site, broker, options) as server:
                _drive(server, options.in_flight, options.settle)
                for _ in range(options.repeat):
                    report.window(dict(_window(server, broker, options), **{"with": named(broker)}))
    report.medians(("with",), ("posts", "p50", "p99", "server", "broker"))
    return report.finish()


def _window(server, broker, options):
    window = proc.Window(server=server.pid, broker=broker.pid if broker else None)
    children = proc.children_seconds()
    told = _drive(server, options.in_flight, options.seconds)
    _, cpu, foreign = window.close(ended=proc.children_seconds() - children)
    done = int(re.search(r"(\d+) requests in", told)[1])
    wrong = re.search(r"^not 201: (\d+)$", told, re.M)[1]
    return dict(posts=done / options.seconds, p50=_millis(told, "50%"), p99=_millis(told, "99%"), foreign=foreign,
                server=cpu["server"] / done * 1e6, broker=cpu.get("broker", 0) / done * 1e6,
                verdict="exact" if wrong == "0" and "Socket errors" not in told else f"{wrong} not answered 201")


def _drive(server, connections, seconds):
    address = server.chat.replace("ws:", "http:").removesuffix("/chat")
    return subprocess.run(["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", SCRIPT, address],
                          capture_output=True, text=True, check=True).stdout


def _millis(told, share):
    number, unit = re.search(rf"^ +{share} +([\d.]+)(us|ms|s)$", told, re.M).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
