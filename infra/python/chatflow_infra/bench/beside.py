"""What something beside the members costs them: the standalone consumer, readers that stall. With and without, by turns."""
import re
import statistics
import subprocess

from .. import proc
from ..common import LAUNCHER, Problem
from ..programs import Site
from .report import Report

#: Delivery p99 of the others with stalled readers, as a multiple of that without, is at most this.
MOST_TIMES = 1.25


def audit(options, client):
    """The demo with and without the standalone consumer; where neighbours used much of the machine, only CPU tells."""
    report = Report("audit", [("consumer", "consumer"), ("seconds", "s"), ("server", "server CPU s"), ("audit", "consumer CPU s"),
                              ("foreign", "others"), ("windows", "windows"), ("verdict", "verdict")],
                    f"./chatflow demo {' '.join(client)}, {options.repeat} runs each")
    for _ in range(options.repeat):
        for name, more in (("without", []), ("with", ["--audit"])):
            report.window(dict(_demo([*more, *client]), consumer=name))
    report.medians(("consumer",), ("seconds", "server", "audit", "foreign"))
    return report.finish()


def _demo(arguments):
    window, children = proc.Window(), proc.children_seconds()
    done = subprocess.run([LAUNCHER, "demo", *arguments, "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem(f"the demo ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-2000:]}")
    # The launcher waits for all that it starts, so that what they used is its own.
    foreign = window.close(ended=proc.children_seconds() - children)[2]
    return dict(told(done.stdout, "--audit" in arguments), foreign=foreign, verdict="exact")


def told(text, is_audited):
    """What the client's report and the launcher's lines say of a run."""
    def figure(pattern):
        found = re.search(pattern, text, re.M)
        if not found:
            raise Problem(f"the demo does not say {pattern}:\n{text[-3000:]}")
        return float(found[1].replace(",", ""))

    return dict(seconds=figure(r"\bwindow +([\d.,]+) s$"), server=figure(r"^server: ([\d.]+) s of CPU"),
                audit=figure(r"^consumer: ([\d.]+) s of CPU") if is_audited else 0.0)


def slow_readers(options):
    """Delivery p99 of the members that read, without and with 2 % that do not read at all, on one server."""
    report = Report("slow-readers", [("readers", "2 % stalled"), ("p99", "delivery p99 ms"), ("verdict", "verdict")],
                    f"4 rooms of 50, 1,000 messages/s, {options.seconds} s, {options.repeat} alternations")
    with Site() as site, site.server() as server:
        def load(*more):
            result = site.load([server.chat], "-r", 4, "-u", 50, "-R", 1000, "-s", 400, "-d", f"{options.seconds}s",
                               "--warmup", "5s", *more).result()
            wrong = {kind: number for kind, number in result["verdict"]["defects"].items() if number}
            return dict(p99=result["latencyMicros"]["delivery"]["response"]["p99"] / 1000,
                        verdict=f"FAIL {wrong}" if wrong else "exact")

        load()  # warm
        for _ in range(options.repeat):
            report.window(dict(load(), readers="without"))
            report.window(dict(load("--slow", "2%@0.01"), readers="with"))
    report.rows = report.windows
    without, slow = (statistics.median(row["p99"] for row in report.rows if row["readers"] == name) for name in ("without", "with"))
    report.notes.append(f"Median p99 {without:.1f} ms without, {slow:.1f} ms with: {slow / without:.2f} times, "
                        f"wanted at most {MOST_TIMES}.")
    return report.finish() and slow <= MOST_TIMES * without
