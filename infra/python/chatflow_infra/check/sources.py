"""Checks sources that are not built: scripts, Python, units, rules."""
import os
import re
import sys

from ..common import ROOT, call, expect, need
from .registry import DEFAULT, check

INFRA = ROOT / "infra"
#: 10 is an unprotected service, 0 a fully restricted one; these are at 1.7.
MOST_EXPOSED = 2.0


@check("shell", "shellcheck of every shell script", 5, when=DEFAULT, needs=("shellcheck",))
def shell(run):
    listed = call("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard").split()
    scripts = [name for name in listed if (ROOT / name).is_file() and is_shell(ROOT / name)]
    run.say(*scripts)
    call("shellcheck", *(ROOT / name for name in scripts))
    return f"{len(scripts)} scripts"


def is_shell(file):
    """Returns whether a file is a shell script, by its first line, for files without a suffix or with .sh."""
    if file.suffix not in ("", ".sh"):
        return False
    with open(file, "rb") as content:
        return re.match(rb"#!(/usr/bin/env bash|/bin/sh)|# shellcheck shell=bash", content.readline()) is not None


@check("units", "systemd and sysctl accept the units and kernel settings", 3, needs=("systemd", "sysctl", "linux"))
def units(run):
    folder = INFRA / "systemd"
    for unit in ("chatflow", "chatflow-consumer"):
        text = (folder / f"{unit}.service").read_text(encoding="utf-8")
        # The programs are not installed here.
        (run.directory / f"{unit}.service").write_text(re.sub(r"(?m)^(Exec\w+=-?)\S+", r"\1/bin/true", text), encoding="utf-8")
    said = call(need("systemd-analyze"), "verify", *run.directory.glob("*.service"))
    expect(not said.strip(), said)  # unknown settings are only warnings
    exposed = []
    for unit in ("chatflow", "chatflow-consumer"):
        said = call("systemd-analyze", "security", "--offline=true", "--no-pager", folder / f"{unit}.service")
        exposed.append(float(re.search(r"exposure level for \S+: ([\d.]+)", said)[1]))
    expect(max(exposed) <= MOST_EXPOSED, f"exposed {exposed}, at most {MOST_EXPOSED}")
    settings = folder / "90-chatflow.conf"
    keys = re.findall(r"(?m)^([a-z][a-z0-9_.]*) = ", settings.read_text(encoding="utf-8"))
    unknown = [key for key in keys if not key.startswith("net.core")  # a container's network lacks some of these
               and not os.path.exists("/proc/sys/" + key.replace(".", "/"))]
    expect(not unknown, f"{settings.name}: unknown to this kernel: {unknown}")
    call("sysctl", "--dry-run", f"--load={settings}")
    return f"exposed {max(exposed)} of 10"


@check("alerts", "Prometheus configuration; each alert fires in its case, and not in a similar one", 3, needs=("prometheus",))
def alerts(run):
    folder = INFRA / "monitoring"
    run.say(call("promtool", "check", "config", folder / "prometheus.yml"),
            call("promtool", "test", "rules", folder / "rules.test.yml"))


@check("compose-file", "docker compose accepts compose.yaml", 2)
def compose_file(run):
    run.say(call(INFRA / "compose/compose", "config", directory=run.directory, skips=3,
                 environment=os.environ | {"CHATFLOW_COMPOSE_SECRETS": str(run.directory / "secrets")}))


@check("python", "unit tests of infra's Python", 40, when=DEFAULT, wants=("haproxy", "nginx"), mostly_waits=True)
def python(run):
    said = call(sys.executable, "-B", "-m", "unittest", "discover", "-v", "-s", INFRA / "python", "-t", INFRA / "python",
                environment=os.environ | {"PYTHONWARNINGS": "error::SyntaxWarning"})
    run.say(said)
    reasons = [reason for _, reason in re.findall(r"(?m)\.\.\. skipped (['\"])(.*)\1$", said)]
    if reasons:
        run.session.add("SKIPPED", run.check, f"{len(reasons)} of its tests: {'; '.join(sorted(set(reasons)))}")
    return re.search(r"Ran (\d+) tests", said)[0].lower()
