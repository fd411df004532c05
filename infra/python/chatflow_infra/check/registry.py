"""Defines checks, their requirements and the list of all."""
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from ..common import rabbitmq_is_there
from ..programs import postgres_programs

#: When a check runs: always, with --all, or only by name because it is too long for a complete run.
DEFAULT, ALL, NAMED = "default", "all", "named"


@dataclass(frozen=True)
class Need:
    """A requirement; `package` installs it on Debian, None where apt-get cannot."""

    lacks: str
    is_there: Callable[[], bool]
    package: str = None


def program(name, package=None, otherwise=()):
    package = package or name
    return Need(f"package {package} is not installed",
                lambda: any(shutil.which(each) for each in (name, *otherwise)), package)


NEEDS = {
    "maven": program("mvn", "maven"),
    "rabbitmq": Need("package rabbitmq-server is not installed", rabbitmq_is_there, "rabbitmq-server"),
    "postgres": Need("package postgresql is not installed", lambda: postgres_programs() is not None, "postgresql"),
    "shellcheck": program("shellcheck"),
    "haproxy": program("haproxy"),
    "nginx": program("nginx", "nginx-light"),
    "ss": program("ss", "iproute2"),
    "ip": program("ip", "iproute2"),
    "debootstrap": program("debootstrap"),
    "xfs": program("mkfs.xfs", "xfsprogs"),
    "prometheus": program("prometheus"),
    "node-exporter": program("prometheus-node-exporter"),
    "chromium": program("chromium", otherwise=("chromium-browser",)),
    "headless-chromium": program("chromium-headless-shell", otherwise=("chromium", "chromium-browser")),
    "zsh": program("zsh"),
    "node": program("node", "nodejs"),
    "curl": program("curl"),
    "openssl": program("openssl"),
    # If it stayed installed, it would create users and keys at the next boot.
    "cloud-init": Need("package cloud-init is not installed", lambda: shutil.which("cloud-init") is not None,
                       "cloud-init" if os.environ.get("CI") else None),
    "systemd": Need("package systemd is not installed", lambda: shutil.which("systemd-analyze") is not None),
    "sysctl": Need("package procps is not installed", lambda: shutil.which("sysctl") is not None),
    "terraform": Need("terraform (1.11 or later) is not installed", lambda: shutil.which("terraform") is not None),
    "docker": Need("package docker.io is not installed", lambda: shutil.which("docker") is not None),
    "linux": Need("this is not Linux", lambda: Path("/proc/self").is_dir()),
    "root": Need("this is not root", lambda: os.geteuid() == 0),
}


@dataclass(frozen=True)
class Check:
    """`run` receives its Run and returns a remark, or nothing; it raises Problem or Skipped. A check without one of its
    `needs` is skipped; it does more with its `wants`. Checks that mostly wait run in parallel to others, and share no broker
    with them.
    """

    name: str
    promise: str
    seconds: int
    run: Callable
    when: str = ALL
    needs: tuple = ()
    wants: tuple = ()
    uses_programs: bool = False
    uses_release: bool = False
    mostly_waits: bool = False

    def lacks(self):
        """Returns why it cannot run here, or None."""
        return next((NEEDS[need].lacks for need in self.needs if not NEEDS[need].is_there()), None)


CHECKS = []


def check(name, promise, seconds, **more):
    """Registers a function; the order in the sources is the order in which checks run."""
    def register(function):
        CHECKS.append(Check(name, promise, seconds, function, **more))
        return function
    return register
