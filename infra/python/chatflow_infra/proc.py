"""Reads processes and the machine from /proc."""
import os
import resource
import subprocess
import threading
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
CORES = os.cpu_count() or 1

#: A window in which other processes used more than this share of all cores is disturbed.
DISTURBED = 0.05


#: Descriptors that a server may open itself, and the share of a core that an idle one uses.
SPARE_DESCRIPTORS, RESTING = 20, 0.2


def process_seconds(stat):
    """Returns user and system time of a process, from the text of /proc/PID/stat."""
    fields = stat.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine_seconds(stat):
    """Returns the busy time of all cores, including steal, from the text of /proc/stat."""
    fields = [int(field) for field in stat.split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _iowait, irq, softirq, steal = fields
    return (user + nice + system + irq + softirq + steal) / TICKS


def status_field(status, name):
    """Returns a number of /proc/PID/status: kB of a memory field, else a count."""
    for line in status.split("\n"):
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0


def _read(path):
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def cpu_seconds(pid):
    """Returns CPU seconds; 0 for a missing process."""
    stat = _read(f"/proc/{pid}/stat") if pid else ""
    return process_seconds(stat) if stat else 0.0


def command_line(pid):
    return _read(f"/proc/{pid}/cmdline") if pid else ""


def runs(pid):
    """Returns whether a process exists. Its command line is no indication: it is empty for a moment within an exec, and an
    ending process loses it before its sockets.
    """
    stat = _read(f"/proc/{pid}/stat") if pid else ""
    return bool(stat) and stat.rsplit(")", 1)[1].split()[0] != "Z"


def children(pid):
    """Returns the running child processes."""
    stats = ((int(file.parent.name), _read(file)) for file in Path("/proc").glob("[0-9]*/stat"))
    return [child for child, stat in stats if stat and int(stat.rsplit(")", 1)[1].split()[1]) == pid]


def rss_kb(pid):
    return status_field(_read(f"/proc/{pid}/status"), "VmRSS")


def live_heap_kb(pid, jcmd):
    """Returns a JVM's live heap after a full collection."""
    told = subprocess.run([jcmd, str(pid), "GC.class_histogram"], capture_output=True, text=True, check=True).stdout
    return int(told.split()[-1]) / 1024


def pin(pid, cores):
    """Restricts all current and future threads of a process to these cores."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            os.sched_setaffinity(int(thread), cores)
        except ProcessLookupError:
            pass  # it has just ended


def threads(pid):
    """Returns the number of platform threads."""
    return status_field(_read(f"/proc/{pid}/status"), "Threads")


def descriptors(pid):
    """Returns the number of open files and sockets of a process."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def await_settled(pid, before, patience=20.0, look=0.3):
    """Waits until a server has closed the descriptors above `before` and is idle. The next measurement must not include the
    last one's leaving members.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        used = cpu_seconds(pid)
        time.sleep(look)
        if descriptors(pid) <= before + SPARE_DESCRIPTORS and cpu_seconds(pid) - used <= look * RESTING:
            return True
    return False


def children_seconds():
    """Returns the CPU seconds of ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Window:
    """Measures the CPU use of some processes and of all others, from creation to close()."""

    def __init__(self, **pids):
        self.pids = {name: pid for name, pid in pids.items() if pid}
        self._before = self._look()

    def _look(self):
        return (time.monotonic(), machine_seconds(_read("/proc/stat")), cpu_seconds(os.getpid()),
                {name: cpu_seconds(pid) for name, pid in self.pids.items()})

    def close(self, ended=0.0):
        """Returns seconds, CPU seconds by name, and the share of all cores used by other processes. `ended` are CPU seconds
        of child processes that started and ended in between.
        """
        before, after = self._before, self._look()
        seconds = after[0] - before[0]
        cpu = {name: after[3][name] - before[3][name] for name in self.pids}
        own = sum(cpu.values()) + after[2] - before[2] + ended
        return seconds, cpu, foreign_share(after[1] - before[1], own, seconds)


class Trace(threading.Thread):
    """Samples the CPU use of some processes until end()."""

    PERIOD = 0.2

    def __init__(self, pids):
        super().__init__(daemon=True)
        self.pids = {name: pid for name, pid in pids.items() if pid}
        self.samples, self.ended = [], threading.Event()

    def sample(self):
        self.samples.append((time.monotonic(), {name: cpu_seconds(pid) for name, pid in self.pids.items()}))

    def run(self):
        self.sample()
        while not self.ended.wait(self.PERIOD):
            self.sample()

    def end(self):
        self.ended.set()
        self.join()

    def busiest(self, seconds, prefix):
        """Returns CPU seconds by name in the `seconds` in which processes with this prefix used most."""
        def between(begin):
            until = self.at(begin + seconds)
            return {name: until[name] - used for name, used in self.at(begin).items()}

        last = self.samples[-1][0] - seconds
        begins = [at for at, _ in self.samples if at <= last] or [self.samples[0][0]]
        return max(map(between, begins),
                   key=lambda cpu: sum(used for name, used in cpu.items() if name.startswith(prefix)))

    def at(self, when):
        """Returns CPU seconds by name, interpolated between samples; an ended process keeps its last value."""
        before, after = self.samples[0], self.samples[0]
        for sample in self.samples:
            before, after = after, sample
            if sample[0] >= when:
                break
        share = min(1.0, max(0.0, (when - before[0]) / ((after[0] - before[0]) or 1)))
        return {name: used + share * max(0.0, after[1][name] - used) for name, used in before[1].items()}


def foreign_share(busy, own, seconds, cores=CORES):
    """Returns the share of all cores used by neither these processes nor the idle loop; ticks may make it negative."""
    return max(0.0, (busy - own) / (seconds * cores)) if seconds > 0 else 0.0


def is_disturbed(row):
    return row.get("foreign", 0) > DISTURBED
