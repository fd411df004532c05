"""Gates of what user data brings to the machines: cloud-config, scripts, units, kernel settings."""
import re

from .common import AWS, Failed, Skipped, call, expect, need

# Unknown keys at the top level pass the schema.
KEYS = {"packages", "write_files", "runcmd"}
MOST_EXPOSED = 6.5


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
            expect(not own or command[0] in workshop.files(kind), f"{kind}: runs {command[0]}, which nothing writes")
    tool = need("cloud-init", "cloud-init")
    for kind, text in workshop.rendered.items():
        file = workshop.directory / f"{kind}.yaml"
        file.write_text(text, encoding="utf-8")
        out = call(tool, "schema", "--config-file", file)
        expect("Valid" in out, out)
    return f"{len(workshop.rendered)} kinds of machine"


def shell(workshop):
    """shellcheck of every script, also those inside user data"""
    tool = need("shellcheck", "shellcheck")
    scripts = [AWS / "upload", AWS / "gates/run-in-copy", *sorted((AWS / "files").iterdir())]
    scripts = [s for s in scripts if s.read_text(encoding="utf-8").startswith(("#!/usr/bin/env bash", "#!/bin/sh"))]
    call(tool, *scripts)
    inside = {e["content"] for kind in workshop.rendered for e in workshop.files(kind).values() if e["content"].startswith("#!")}
    shells = 0
    for n, text in enumerate(sorted(inside)):
        if "python3" in text.splitlines()[0]:
            compile(text, "definitions", "exec")
            continue
        file = workshop.directory / f"inside-{n}"
        file.write_text(text, encoding="utf-8")
        call(tool, file)
        shells += 1
    return f"{len(scripts)} files, {shells} inside user data"


def units(workshop):
    """systemd-analyze of every unit inside user data"""
    tool = need("systemd-analyze", "systemd")
    folder = workshop.directory / "units"
    folder.mkdir(exist_ok=True)
    names = set()
    for kind in workshop.rendered:
        for path, entry in workshop.files(kind).items():
            if path.startswith("/etc/systemd/system/") and path.endswith(".service"):
                # The programs are not on this machine; everything else must be right.
                text = re.sub(r"\\\n\s*", "", entry["content"])
                text = re.sub(r"(?m)^(Exec\w+)=(-?)\S+.*$", r"\1=\2/bin/true", text)
                text = re.sub(r"(?m)^((After|Requires)=.*)docker\.service", r"\1", text)
                text = re.sub(r"(?m)^(Documentation|WorkingDirectory|EnvironmentFile|User|Group)=.*\n", "", text)
                (folder / path.rsplit("/", 1)[1]).write_text(text, encoding="utf-8")
                names.add(path.rsplit("/", 1)[1])
    for name in sorted(names):
        out = call(tool, "verify", "--recursive-errors=no", folder / name)
        expect(not out.strip(), f"{name}:\n{out}")  # unknown keys only warn
    out = call(tool, "security", "--offline=true", "--no-pager", folder / "chatflow.service")
    found = re.search(r"exposure level for \S+: ([0-9.]+)", out)
    expect(found and float(found[1]) <= MOST_EXPOSED, f"chatflow.service is exposed: {found and found[1]}, at most {MOST_EXPOSED}")
    return f"{len(names)} units, chatflow.service exposed {found[1]}"


def sysctl(workshop):
    """kernel settings are ones the kernel knows"""
    tool = need("sysctl", "procps")
    file = workshop.directory / "90-chatflow.conf"
    file.write_text(workshop.files("server-1")["/etc/sysctl.d/90-chatflow.conf"]["content"], encoding="utf-8")
    if "--dry-run" not in call(tool, "--help"):
        raise Skipped("procps 4 is not installed")
    out = call(tool, "--dry-run", "--load", file)
    expect("cannot" not in out and "unknown" not in out, out)


def prometheus(workshop):
    """promtool on the monitor's configuration"""
    tool = need("promtool", "prometheus")
    folder = workshop.directory / "prometheus"
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    for rules in (workshop.infra / "monitoring/rules").glob("*.yml"):
        (folder / "rules" / rules.name).write_text(rules.read_text(encoding="utf-8"), encoding="utf-8")
    file = folder / "prometheus.yml"
    file.write_text(workshop.files("monitor")["/etc/chatflow/prometheus.yml"]["content"], encoding="utf-8")
    out = call(tool, "check", "config", file)
    if "SUCCESS" not in out:
        raise Failed(out)
