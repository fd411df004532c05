"""Tests that need the whole machine: the load client's heap; 18,000 users and a restart."""
import re
import subprocess
import sys
from pathlib import Path

from ..common import CLIENT, ROOT, call, expect, java, jvm
from .registry import NAMED, check

#: Maximum difference of heaps between runs of different lengths with equal messages in flight.
MOST_MEGABYTES_MORE = 9.6
MEGABYTES_PER_MILLION_IN_FLIGHT = 36
ROUNDING = 2  # the collector logs whole MB


def megabytes_alive(site, messages, *options):
    """Returns the maximum live heap of the load client, by a full collection each second."""
    log = site.directory / f"gc-{messages}-{len(options)}.log"
    with site.server() as server:
        load = site.load([server.chat], "--messages", messages, *options,
                         program=[java(), *jvm("CLIENT"), f"-Xlog:gc:file={log}", "-jar", CLIENT])
        _collect_every_second(load)
        load.proved()
    alive = re.findall(r"Pause Full \(Diagnostic Command\).*M->(\d+)M\(", log.read_text(encoding="utf-8"))
    expect(alive, f"no collection in {log}:\n{log.read_text(encoding='utf-8')[-1000:]}")
    return max(map(int, alive))


def _collect_every_second(load):
    """Collects until the client ends, which may just have happened."""
    while True:
        try:
            load.process.wait(1)
            return
        except subprocess.TimeoutExpired:
            subprocess.run([Path(java()).with_name("jcmd"), str(load.pid), "GC.run"], capture_output=True, check=False)


@check("client-heap", "the load client's heap stays flat, and a burst needs memory only for its own messages", 300, when=NAMED,
       needs=("linux",), uses_programs=True)
def heap(run):
    """Sends five and twenty times the messages with as many in flight: checked messages are released."""
    def alive(messages, *options):
        return megabytes_alive(run.site, messages, *options)

    small, more, most = (alive(messages, "--in-flight=16") for messages in (100, 500, 2000))
    expect(max(abs(more - small), abs(most - small)) <= MOST_MEGABYTES_MORE, f"MB alive: {small}, {more}, {most}")
    burst, large = alive(100), alive(500)  # all messages of a burst are in flight: 0.4 million more than a fifth of it
    expect(large <= burst + 0.4 * MEGABYTES_PER_MILLION_IN_FLIGHT + ROUNDING, f"MB alive in a burst: {burst}, {large}")
    return f"{small}, {more}, {most} MB; burst {burst}, {large} MB"


@check("many", "18,000 connections to a server of each form, which all return after its restart and miss nothing", 360, when=NAMED,
       needs=("linux", "rabbitmq"), uses_programs=True)
def many_people(run):
    run.session.lab()
    run.say("bench many", call(sys.executable, "-B", ROOT / "infra/python", "bench", "many"))
    return "18,000 connections"
