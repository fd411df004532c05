"""What a delivery costs the load client, against the number of frames in one read; what is alive in its heap."""
import re
import subprocess
from pathlib import Path

from .. import chart, proc
from ..common import CLIENT, expect, java, jvm
from ..programs import Site
from .measured import Blaster
from .report import Report

COLUMNS = [("frames", "frames in a write"), ("read", "frames in a read"), ("micros", "µs a delivery"), ("least", "least"),
           ("most", "most"), ("heap", "MB alive"), ("deliveries", "deliveries"), ("verdict", "verdict")]


def run(site, frames, messages, *options, jvm_options=()):
    """A client's run against a fresh server that only writes; its result, proved, and what `foreign` others had of the cores."""
    blaster = Blaster(frames)
    try:
        window, children = proc.Window(server=blaster.pid), proc.children_seconds()
        load = site.load([blaster.url], "--messages", messages, *options,
                         program=[java(), *jvm("CLIENT"), *jvm_options, "-jar", CLIENT])
        if jvm_options:
            _collect_every_second(load)
        result = load.proved()
        return dict(result, foreign=window.close(ended=proc.children_seconds() - children)[2])
    finally:
        blaster.stop()


def _collect_every_second(load):
    """Until the client ends, which may just have happened: then nobody answers."""
    while True:
        try:
            load.process.wait(1)
            return
        except subprocess.TimeoutExpired:
            subprocess.run([Path(java()).with_name("jcmd"), str(load.pid), "GC.run"], capture_output=True, check=False)


def heap_megabytes(site, frames, messages, *options):
    """Alive at most, by a full collection a second; a run of its own, as these cost CPU."""
    log = site.directory / f"gc-{frames}-{messages}-{len(options)}.log"
    run(site, frames, messages, *options, jvm_options=[f"-Xlog:gc:file={log}"])
    alive = re.findall(r"Pause Full \(Diagnostic Command\).*M->(\d+)M\(", log.read_text(encoding="utf-8"))
    expect(alive, f"no collection in {log}:\n{log.read_text(encoding='utf-8')[-1000:]}")
    return max(map(int, alive))


def client_cost(options):
    """The curve, one row for each number of frames in a write."""
    report = Report("client", COLUMNS, f"1,000 connections, 20 rooms of 50, a server that only writes, {options.repeat} runs each")
    with Site() as site:
        for frames in map(int, options.frames.split(",")):
            costs = [run(site, frames, options.messages) for _ in range(options.repeat)]
            micros = sorted(cost["client"]["cpuMicrosPerDelivery"] for cost in costs)
            report.window(dict(
                frames=frames, read=sum(cost["client"]["framesPerRead"] for cost in costs) / len(costs),
                micros=micros[len(micros) // 2], least=micros[0], most=micros[-1],
                heap=heap_megabytes(site, frames, options.messages), deliveries=costs[0]["counts"]["deliveries"],
                foreign=max(cost["foreign"] for cost in costs), verdict="exact"))
    report.rows = report.windows
    report.chart("client-cost", chart.bars("CPU of the client for a delivery, by frames in a read", "µs",
                                           [(f"{row['read']:.0f}", {"µs": row["micros"]}) for row in report.rows]))
    return report.finish()
