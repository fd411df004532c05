"""Gates of the Terraform sources."""
import re
import subprocess

from ..common import ROOT, Problem, Skipped, expect, need
from .workshop import AWS


def formatted(workshop):
    """terraform fmt"""
    workshop.terraform("fmt", "-check", "-diff", "-recursive", "-no-color")


def sources(workshop):
    """no secret, state, lock file or download host among the sources"""
    del workshop
    try:
        tracked = subprocess.run(["git", "-C", AWS, "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError) as e:
        raise Skipped("not a git working tree") from e
    bad = [f for f in tracked if re.search(r"\.terraform|\.tfstate|tfvars(\.json)?$|\.pem$|\.key$", f)]
    expect(not bad, f"must not be committed: {bad}")
    for name in tracked:
        text = (AWS / name).read_text(encoding="utf-8", errors="replace")
        hosts = [h for h in re.findall(r"https?://([A-Za-z0-9-]+\.[A-Za-z0-9.-]+)", text)
                 if not re.fullmatch(r"127\.0\.0\.1|169\.254\.169\.254|[a-z0-9.-]*\.example", h)]
        expect(not hosts, f"{name} names {hosts}")
        expect(not re.search(r"AKIA[0-9A-Z]{16}|BEGIN [A-Z ]*PRIVATE KEY", text), f"{name} holds a credential")
    return f"{len(tracked)} files"


def valid(workshop):
    """terraform validate"""
    workshop.initialised()
    workshop.terraform("validate", "-no-color")


def tested(workshop):
    """terraform test with a mocked provider"""
    need("terraform", "terraform (1.11 or later)")
    workshop.initialised()
    text = workshop.terraform("test", "-no-color")
    found = re.search(r"Success! (\d+) passed, 0 failed", text)
    if not found:
        raise Problem(text)
    expect((ROOT / "infra/aws/tests").is_dir() and int(found[1]) >= 20, f"only {found[1]} runs")
    return f"{found[1]} runs"
