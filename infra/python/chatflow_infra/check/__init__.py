"""Runs the checks of this project: ./chatflow test [--all | --only NAME...] [--strict] [--list]

  ./chatflow test          what CI runs: scripts, the build with all Java tests and gates on both brokers, JavaScript, pages in Chromium, Python, a load that checks every delivery
  --all                    also everything else: faults, clusters, attacks, a release, AWS, documents' commands,
                           100,000 seeds of the simulation and all its mutants
  --only NAME...           these checks; a name with a final * selects all with this prefix. Builds what they need
  --strict                 what is skipped counts as failed
  --list                   every check: name, usual seconds on two quiet cores, when it runs, needs, what it promises

As root on Debian it installs missing packages of the chosen checks with apt-get; elsewhere it reports skipped checks. Brokers and
databases run on free loopback ports with data of their own and are stopped at the end. It prints one line per check;
the full output of a check is in target/checks/NAME.log.
Exit status: 0 when nothing failed, 1 otherwise, 2 for a name or an option that there is not.
"""
import argparse
import contextlib
import fnmatch
import os
import re
import shutil
import signal
import threading
import time
import traceback
from pathlib import Path

from .. import proc
from ..common import LAUNCHER, ROOT, Problem, Skipped, call
from ..programs import Broker, Site, install_cluster
from .registry import ALL, CHECKS, DEFAULT, NAMED, NEEDS
# Cheap and informative checks come first.
from . import sources, prose, build, library, programs, release, session, records, secure, completion, operations, clusters, faults, shards, benchmarks, containers, endurance  # noqa: F401 isort: skip
from .. import aws  # noqa: F401

LOGS = ROOT / "target/checks"
#: Last output lines of a failed check on the screen; the log has all.
SHOWN = 25


class Session:
    """One call of ./chatflow test: resources that its checks share, created on first use."""

    def __init__(self, chosen=()):
        self.verdicts, self.site = [], Site()
        self._uses_release = any(check.uses_release for check in chosen)
        self._lock, self._shared = threading.RLock(), {}

    def share(self, name, make):
        """Creates a resource once; its Problem or Skipped applies to all users."""
        with self._lock:
            if name not in self._shared:
                try:
                    self._shared[name] = make(), None
                except (Problem, Skipped) as e:
                    self._shared[name] = None, e
            made, trouble = self._shared[name]
            if trouble:
                raise trouble
            return made

    def rabbitmq(self):
        """A node with only guest, for checks without other requirements."""
        return self.share("rabbitmq", lambda: self.site.keep(Broker()))

    def rabbitmq_cluster(self):
        """Installs the requirements of three RabbitMQ 4 nodes."""
        self.share("rabbitmq_cluster", install_cluster)

    def built(self):
        """The packaged programs, built if sources have changed. Making a release builds them again, so it is made before a
        check runs them.
        """
        def build():
            if self._uses_release:
                self.release()
            else:
                call(LAUNCHER, "build", "--changed", timeout=1800)
        self.share("programs", build)

    def release(self):
        """The archive of these sources."""
        return self.share("release", lambda: Path(re.search(r"(?m)^(/.*\.tar\.gz),", call(LAUNCHER, "dist", timeout=1800))[1]))

    def lab(self):
        """The packaged programs with fault scenarios and benchmarks."""
        def build():
            call(LAUNCHER, "build", "--changed", "--lab", timeout=1800)
        self.share("lab", build)

    def add(self, verdict, check, detail):
        with self._lock:
            self.verdicts.append(verdict)
            print(f"{verdict:8} {check.name:20} {detail}", flush=True)


class Run:
    """A running check: its output, its own site, and the session's resources."""

    def __init__(self, session, check, log):
        self.session, self.check, self.site, self.log = session, check, Site(), log

    def say(self, *texts):
        print(*texts, sep="\n", file=self.log, flush=True)

    @property
    def directory(self):
        return self.site.directory


def verdict_of(session, check, log):
    """Runs a check; returns PASS, FAIL or SKIPPED, its remark, and the lines that explain a failure if it names them itself."""
    with open(log, "w", encoding="utf-8") as out:
        run = Run(session, check, out)
        try:
            with run.site:
                if check.uses_programs:
                    session.built()
                return "PASS", check.run(run) or "", []
        except Skipped as e:
            return "SKIPPED", str(e), []
        except Problem as e:
            run.say(str(e))
            named = str(e).strip().splitlines()
            return "FAIL", check.promise, named[:SHOWN] if len(named) > 1 else []
        except Exception:  # pylint: disable=broad-exception-caught # a broken check must not hide the others
            run.say(traceback.format_exc())
    return "FAIL", check.promise, []


def judge(session, check):
    """Runs a check and records its verdict."""
    lacks = check.lacks()
    if lacks:
        return session.add("SKIPPED", check, lacks)
    started, log = time.monotonic(), LOGS / f"{check.name}.log"
    verdict, told, named = verdict_of(session, check, log)
    if verdict == "FAIL":
        shown = named or log.read_text(encoding="utf-8", errors="replace").splitlines()[-SHOWN:]
        print(*(f"    {line}" for line in shown), f"    (full log: {log.relative_to(ROOT)})", sep="\n", flush=True)
    return session.add(verdict, check, f"{time.monotonic() - started:4.0f} s  {told}".rstrip() if verdict != "SKIPPED" else told)


def run_all(session, chosen):
    """Runs checks in the order of the list, two at a time: those that mostly wait run in parallel to others. Checks that run
    only by name come last.
    """
    is_built = threading.Event()
    if "build" not in [check.name for check in chosen]:
        is_built.set()
    short = [check for check in chosen if check.when != NAMED]

    def run_waiters():
        for check in short:
            if check.mostly_waits:
                if check.uses_programs:
                    is_built.wait()
                judge(session, check)

    beside = threading.Thread(target=run_waiters, daemon=True)
    beside.start()
    for check in short:
        if not check.mostly_waits:
            judge(session, check)
            if check.name == "build":
                is_built.set()
    beside.join()
    for check in chosen:
        if check.when == NAMED:
            judge(session, check)


# --- missing packages -------------------------------------------------------------------------------------


@contextlib.contextmanager
def _no_services():
    """Prevents packages from starting daemons on the usual ports."""
    policy = Path("/usr/sbin/policy-rc.d")
    if policy.exists():
        yield
        return
    policy.write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
    policy.chmod(0o755)
    try:
        yield
    finally:
        policy.unlink(missing_ok=True)


def install(chosen):
    """Installs missing packages of the chosen checks with apt-get."""
    wanted = {need for check in chosen for need in (*check.needs, *check.wants)}
    packages = sorted({NEEDS[need].package for need in wanted if NEEDS[need].package and not NEEDS[need].is_there()})
    if not packages:
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"not installed, and this is not root on Debian: {' '.join(packages)}", flush=True)
        return
    print(f"installing {' '.join(packages)} ...", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with _no_services():
        try:
            call("apt-get", "update", environment=environment)
            call("apt-get", "install", "-y", "--no-install-recommends", *packages, environment=environment)
        except Problem as e:
            (LOGS / "install.log").write_text(str(e), encoding="utf-8")
            print(f"could not install; see {(LOGS / 'install.log').relative_to(ROOT)}", flush=True)


# --- main -----------------------------------------------------------------------------------------------------------


def chosen_checks(options):
    """Returns the checks in the order of the list; --only includes long ones."""
    if options.only:
        unknown = [name for name in options.only if not fnmatch.filter([c.name for c in CHECKS], name)]
        if unknown:
            raise ValueError(f"no check {', '.join(unknown)}: see ./chatflow test --list")
        return [c for c in CHECKS if any(fnmatch.fnmatch(c.name, name) for name in options.only)]
    kinds = {DEFAULT, ALL} if options.all else {DEFAULT}
    return [c for c in CHECKS if c.when in kinds]


def listed(checks):
    rows = [("check", "seconds", "runs", "needs", "promises")]
    rows += [(c.name, str(c.seconds), c.when, ", ".join(c.needs) or "-", c.promise) for c in checks]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]]) for row in rows)


def main(arguments):
    parser = argparse.ArgumentParser(prog="./chatflow test", description=__doc__, usage=argparse.SUPPRESS, add_help=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--all", action="store_true")
    how.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        print(__doc__.strip())
        return 0
    try:
        chosen = chosen_checks(options)
    except ValueError as e:
        print(f"chatflow: {e}", flush=True)
        return 2
    if options.list:
        print(listed(chosen if options.only else CHECKS))
        return 0
    for name in [n for n in os.environ if n.startswith("CHATFLOW_") and not n.startswith("CHATFLOW_TF_")]:
        del os.environ[name]  # settings of the caller's own server
    LOGS.mkdir(parents=True, exist_ok=True)
    install(chosen)
    started, session = time.monotonic(), Session(chosen)
    with session.site:
        try:
            run_all(session, chosen)
        except BaseException:  # ends the remaining processes of checks
            for child in proc.children(os.getpid()):
                os.kill(child, signal.SIGTERM)
            raise
    counts = {verdict: session.verdicts.count(verdict) for verdict in ("PASS", "FAIL", "SKIPPED")}
    minutes, seconds = divmod(round(time.monotonic() - started), 60)
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['SKIPPED']} skipped in {minutes}:{seconds:02} minutes", flush=True)
    return 1 if counts["FAIL"] or (options.strict and counts["SKIPPED"]) else 0
