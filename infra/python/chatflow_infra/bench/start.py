"""How long a start takes: the programs as they are built, and with what ./chatflow train has kept of them, in turns."""
import time

from .. import chart, proc
from ..common import CLIENT, LAUNCHER, ROOT, WAR, call, java, jvm
from ..programs import Server, Site
from . import figures
from .measured import verdict
from .report import Report

COLUMNS = [("what", "what"), ("how", "programs"), ("seconds", "s"), ("cpu", "CPU s"), ("rss", "RSS MiB"), ("ratio", "s, × as built"),
           ("windows", "windows"), ("verdict", "verdict")]
BUILT, TRAINED = "as built", "trained"
READY, BURST, CLIENTS = "server, start to ready", "server, its first burst", "load client, start to end of that burst"
LOAD = ["--messages", "100"]
LOOK_SECONDS = 0.005


def start(options):
    """Each round starts each form once, and sends one burst; ./chatflow train is run before."""
    call(LAUNCHER, "train")
    report = Report("start", COLUMNS, f"embedded broker, -Xmx{options.heap}, burst of 1,000 users {' '.join(LOAD)}, "
                                      f"{options.repeat} rounds", options.docs)
    with Site() as site:
        for _ in range(options.repeat):
            for how, (server, client) in commands().items():
                for row in _round(site, [f"-Xmx{options.heap}", *options.jvm.split()], server, [java(), *jvm("CLIENT"), *client]):
                    report.window(dict(row, how=how))
    rows = report.medians(("what", "how"), ["seconds", "cpu", "rss"])
    figures.add_ratios(rows, "seconds", lambda row: row["how"] == BUILT, ["what"])
    report.chart("start", chart.bars("A start, and the first burst after it", "s", [
        (what, {row["how"]: row["seconds"] for row in rows if row["what"] == what}) for what in (READY, BURST, CLIENTS)]))
    return report.finish()


def commands():
    """Options of java by form: the server's, the load client's."""
    kept = ROOT / "target/trained"
    return {BUILT: (["-jar", WAR], ["-jar", CLIENT]),
            TRAINED: ([f"-XX:AOTCache={kept}/server.aot", "-jar", kept / "server/chatflow.jar"],
                      [f"-XX:AOTCache={kept}/client.aot", "-jar", CLIENT])}


def _round(site, memory, program, client_command):
    began, window = time.monotonic(), proc.Window()
    with site.server(memory=memory, program=program, is_awaited=False) as server:
        while "\nready" not in server.text() and server.process.poll() is None:
            time.sleep(LOOK_SECONDS)
        seconds, used = time.monotonic() - began, proc.cpu_seconds(server.pid)
        yield dict(what=READY, seconds=seconds, cpu=used, rss=proc.rss_kb(server.pid) / 1024, foreign=window.close(ended=used)[2])
        began, window, children = time.monotonic(), proc.Window(server=server.pid), proc.children_seconds()
        ran = site.load([server.chat], *LOAD, program=client_command).result()
        seconds, client = time.monotonic() - began, proc.children_seconds() - children
        _, cpu, foreign = window.close(ended=client)
        told = dict(foreign=foreign, verdict=verdict(ran["verdict"]))
        yield dict(told, what=BURST, seconds=ran["rates"]["windowSeconds"], cpu=cpu["server"], rss=proc.rss_kb(server.pid) / 1024)
        yield dict(told, what=CLIENTS, seconds=seconds, cpu=client)
