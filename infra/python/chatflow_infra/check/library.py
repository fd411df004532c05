"""The JavaScript library: alone on a fake network, then against servers that are killed, drained, frozen and cut off."""
import json
import os
import shutil
import signal
import subprocess

from ..common import ROOT, call, expect, wait_until
from .registry import QUICK, check, websocket_of_node

TESTS = ROOT / "server/src/test/js"
LIBRARY = ROOT / "server/src/main/webapp/lib"
#: Seconds until a server that says nothing is shown as such: 30 are promised, the rest is a busy machine's.
SHOWN_WITHIN = 45


@check("library", "the JavaScript library on a fake clock and network; what npm packs", 5, when=QUICK, needs=("node",))
def library(run):
    said = call("node", "--test", *sorted(TESTS.glob("*.test.mjs")))
    run.say(said)
    if shutil.which("npm"):
        packed = json.loads(call("npm", "pack", "--dry-run", "--json", directory=LIBRARY))[0]["files"]
        expect({file["path"] for file in packed} == {file.name for file in LIBRARY.iterdir()}, f"npm packs {packed}")
    return f"{said.count(chr(10) + 'ok ')} tests"


class Ledger:
    """Members who talk through the library on two servers, and know what the room's order is."""

    def __init__(self, run, broker):
        settings = {"broker": broker.uri(), "CHATFLOW_ROOM_TAIL_BYTES": "16MiB"}
        self.servers = [run.site.server(**settings) for _ in range(2)]
        self.program = run.site.start("ledger", "node", *websocket_of_node(), TESTS / "ledger.mjs",
                                      *(server.http for server in self.servers))
        self.program.await_line("^all are in$")

    def strike(self, number, name):
        os.kill(self.servers[number].pid, name)

    def await_told(self, what):
        """Members say in lines of their own what happens to them."""
        self.program.await_line(what)

    def verdict(self, run):
        self.program.process.send_signal(signal.SIGUSR2)
        line = self.program.await_line("^verdict (.*)", seconds=300)[1]
        run.say(self.program.text())
        verdict = json.loads(line)
        wrong = {name: verdict[name] for name in ("lost", "repeated", "outOfOrder", "refused", "gaps", "unanswered") if verdict[name]}
        expect(not wrong and self.program.wait() == 0, f"{wrong}: {line}")
        return verdict


def shown_after(verdict):
    return max(verdict["shownAfterMs"]) / 1000


@check("library-faults", "the library's members miss nothing and see nothing twice: kill, drain, freeze, broker restart", 240,
       needs=("node", "node-websocket", "rabbitmq"), uses_programs=True)
def library_faults(run):
    said = []
    for name, fault in (("kill", killed), ("drain", drained), ("freeze", frozen), ("broker restart", broker_restarted)):
        broker = run.site.broker() if fault is broker_restarted else run.session.rabbitmq()
        ledger = Ledger(run, broker)
        fault(ledger, broker)
        verdict = ledger.verdict(run)
        said.append(f"{name}: {verdict['texts']:,} texts, {verdict['deliveries']:,} deliveries, {verdict['back']} came back")
        if fault is frozen:
            expect(shown_after(verdict) < SHOWN_WITHIN, f"shown after {shown_after(verdict)} s")
            said[-1] += f", shown after {shown_after(verdict):.1f} s"
        for server in ledger.servers:
            server.stop()
    return "; ".join(said)


def killed(ledger, _):
    ledger.strike(0, signal.SIGKILL)
    ledger.await_told("^all are back$")


def drained(ledger, _):
    ledger.strike(0, signal.SIGTERM)
    ledger.await_told("^all are back$")


def frozen(ledger, _):
    """Until everybody has gone elsewhere; then it goes on, with what it had taken."""
    ledger.strike(0, signal.SIGSTOP)
    try:
        ledger.await_told("^all are back$")
    finally:
        ledger.strike(0, signal.SIGCONT)


def broker_restarted(ledger, broker):
    """For longer than a standstill of the whole."""
    script = ROOT / "infra/rabbitmq/test-broker"
    subprocess.run([script, "stop", broker.node], check=True)
    call(script, "start", broker.node)
    wait_until(lambda: all("circuit CLOSED" in server.text().rpartition("circuit OPEN")[2] for server in ledger.servers),
               "the servers are connected again")
