"""Gates of the machines' user data: cloud-config, scripts, units."""
import re

from ..common import ROOT, Problem, Skipped, call, expect, need
from .workshop import AWS

# The schema accepts unknown keys at the top level.
KEYS = {"packages", "write_files", "runcmd"}
MOST_EXPOSED = 1.9


def cloud_init(workshop):
    """cloud-init schema and key list"""
    for kind, text in workshop.rendered.items():
        config = workshop.machine(kind)
        expect(set(config) <= KEYS, f"{kind}: unknown keys {sorted(set(config) - KEYS)}")
        for entry in config["write_files"]:
            expect(set(entry) == {"path", "permissions", "content"}, f"{kind}: {entry['path']} has keys {sorted(entry)}")
            expect(re.fullmatch("0[0-7]{3}", entry["permissions"]), f"{kind}: {entry['path']} has mode {entry['permissions']}")
        for command in config["runcmd"]:
            own = command[0].startswith("/usr/local/bin/")
            expect(not own or command[0] in workshop.files(kind), f"{kind}: runs {command[0]}, which no file provides")
    tool = need("cloud-init", "cloud-init")
    for kind, text in workshop.rendered.items():
        file = workshop.directory / f"{kind}.yaml"
        file.write_text(text, encoding="utf-8")
        out = call(tool, "schema", "--config-file", file)
        expect("Valid" in out, out)
    return f"{len(workshop.rendered)} kinds of machine"


def units(workshop):
    """systemd-analyze accepts every unit of the machines"""
    tool = need("systemd-analyze", "systemd")
    folder = workshop.directory / "units"
    folder.mkdir(exist_ok=True)
    units = {f.name: f.read_text(encoding="utf-8") for f in sorted((AWS / "files").glob("*.*")) if f.suffix in (".service", ".timer")}
    server = (ROOT / "infra/systemd/chatflow.service").read_text(encoding="utf-8")
    units["chatflow.service"] = server + unit_part(workshop)
    for name, text in units.items():
        # The programs are not on this machine; everything else must be right.
        text = re.sub(r"\\\n\s*", "", text)
        text = re.sub(r"(?m)^(Exec\w+)=(-?)\S+.*$", r"\1=\2/bin/true", text)
        text = re.sub(r"(?m)^((After|Requires)=.*)docker\.service", r"\1", text)
        text = re.sub(r"(?m)^(Documentation|EnvironmentFile|WorkingDirectory)=.*\n", "", text)
        (folder / name).write_text(text, encoding="utf-8")
    for name in units:
        out = call(tool, "verify", "--recursive-errors=no", folder / name)
        expect(not out.strip(), f"{name}:\n{out}")  # unknown keys only warn
    out = call(tool, "security", "--offline=true", "--no-pager", folder / "chatflow.service")
    found = re.search(r"exposure level for \S+: ([0-9.]+)", out)
    expect(found and float(found[1]) <= MOST_EXPOSED, f"chatflow.service is exposed: {found and found[1]}, at most {MOST_EXPOSED}")
    return f"{len(units)} units, chatflow.service exposed {found[1]}"


def unit_part(workshop):
    """Returns the additions of user data to chatflow.service; nothing without Terraform."""
    try:
        return "\n" + workshop.files("server")["/etc/systemd/system/chatflow.service.d/machine.conf"]["content"]
    except Skipped:
        return ""


def prometheus(workshop):
    """promtool accepts the monitor's configuration"""
    tool = need("promtool", "prometheus")
    folder = workshop.directory / "prometheus"
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    for rules in (workshop.infra / "monitoring/rules").glob("*.yml"):
        (folder / "rules" / rules.name).write_text(rules.read_text(encoding="utf-8"), encoding="utf-8")
    file = folder / "prometheus.yml"
    for kind in ("monitor", "monitor-of-several"):
        file.write_text(workshop.files(kind)["/etc/chatflow/prometheus.yml"]["content"], encoding="utf-8")
        out = call(tool, "check", "config", file)
        if "SUCCESS" not in out:
            raise Problem(out)
