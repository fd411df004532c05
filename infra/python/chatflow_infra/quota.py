"""Limits CPU and memory of processes with cgroups, version 1 or 2."""
import time
from pathlib import Path

PERIOD = 5_000  # µs: maximum pause of a process that has used its share
LEAST = 1_000  # µs in a period: the kernel's minimum quota


class QuotaError(Exception):
    """Limits cannot be set; the message is one sentence for the user."""


def own_groups(text):
    """Returns controller -> path in its mount, from /proc/self/cgroup; version 2 has an empty name."""
    groups = {}
    for line in text.split():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = path
    return groups


def hierarchies(mounts):
    """Returns controller -> mount point, from /proc/mounts; version 2 has an empty name."""
    found = {}
    for line in mounts.splitlines():
        _, where, kind, options, *_ = line.split()
        if kind == "cgroup2":
            found.setdefault("", Path(where))
        elif kind == "cgroup":
            for option in options.split(","):
                found.setdefault(option, Path(where))
    return found


class Quota:
    """Limits one process and its children in a group below the caller's. cpu is a number of cores, memory a number of bytes or None.
    """

    def __init__(self, name, cpu, memory=None, mounts=None, groups=None):
        mounts = hierarchies(Path("/proc/mounts").read_text() if mounts is None else mounts)
        groups = own_groups(Path("/proc/self/cgroup").read_text() if groups is None else groups)
        self.directories = []
        try:
            if "cpu" in mounts:
                self._version1(name, cpu, memory, mounts, groups)
            elif "" in mounts:
                self._version2(name, cpu, memory, mounts[""], groups)
            else:
                raise OSError("this machine has no cgroups")
        except (OSError, KeyError) as e:
            self.remove()
            raise QuotaError(f"no CPU quota can be set here ({e}): run as root on a machine with cgroups that may be "
                             "written, or omit --cpu and --memory for servers without limits") from e

    def _version1(self, name, cpu, memory, mounts, groups):
        self.version = 1
        self._make(mounts["cpu"], groups["cpu"], name)
        self.limit(cpu)
        if "cpuacct" in mounts and mounts["cpuacct"] != mounts["cpu"]:
            self._make(mounts["cpuacct"], groups["cpuacct"], name)
        if memory:
            set_value(self._make(mounts["memory"], groups["memory"], name) / "memory.limit_in_bytes", memory)

    def _version2(self, name, cpu, memory, mount, groups):
        parent = mount / groups[""].lstrip("/")
        wanted = ["cpu", "memory"] if memory else ["cpu"]
        enabled = (parent / "cgroup.subtree_control").read_text().split()
        for controller in wanted:
            if controller not in enabled:
                (parent / "cgroup.subtree_control").write_text("+" + controller)
        self.version = 2
        group = self._make(mount, groups[""], name)
        self.limit(cpu)
        if memory:
            set_value(group / "memory.max", memory)

    def _make(self, mount, own, name):
        directory = mount / own.lstrip("/") / name
        directory.mkdir(exist_ok=True)
        self.directories.append(directory)
        return directory

    def limit(self, cpu):
        """Sets the number of cores; None for all."""
        group, period = self.directories[0], max(PERIOD, round(LEAST / cpu)) if cpu else PERIOD
        share = round(cpu * period) if cpu else None
        if self.version == 1:
            set_value(group / "cpu.cfs_quota_us", -1)  # so that the period may change with any share
            set_value(group / "cpu.cfs_period_us", period)
            set_value(group / "cpu.cfs_quota_us", share or -1)
        else:
            set_value(group / "cpu.max", f"{share or 'max'} {period}")

    def prefer(self, preferred):
        """Sets whether the group has priority, so that it gets its full share."""
        group = self.directories[0]
        if (group / "cpu.shares").exists():
            set_value(group / "cpu.shares", 1 << 18 if preferred else 1 << 10)
        elif (group / "cpu.weight").exists():
            set_value(group / "cpu.weight", 10_000 if preferred else 100)

    def take(self, pid):
        """Moves a process into the group, which limits it and its children."""
        for directory in self.directories:
            (directory / "cgroup.procs").write_text(str(pid))

    def remove(self):
        remove(self.directories)


def set_value(file, value):
    """Writes and reads back, to detect a limit that was not accepted."""
    file.write_text(str(value))
    if file.read_text().split() != str(value).split():
        raise OSError(f"{file} did not accept {value}")


def remove(directories):
    """Removes groups whose processes have ended, which may take a moment."""
    for directory in map(Path, directories):
        for attempt in range(50):
            try:
                directory.rmdir()
                break
            except FileNotFoundError:
                break
            except OSError:
                if attempt == 49:
                    raise
                time.sleep(0.1)


def throttled(directories):
    """Returns (periods, throttled periods) of a group."""
    for directory in map(Path, directories):
        try:
            stat = dict(line.split() for line in (directory / "cpu.stat").read_text().splitlines())
            return int(stat["nr_periods"]), int(stat["nr_throttled"])
        except (OSError, KeyError):
            continue
    return 0, 0
