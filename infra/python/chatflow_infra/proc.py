"""What /proc says of processes and of the machine."""
import os
import resource
import subprocess
import threading
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
CORES = os.cpu_count() or 1

#: A window in which others used more than this share of all cores is disturbed.
DISTURBED = 0.05


#: What a server may open for itself meanwhile, and the share of a core that one at rest uses.
SPARE_DESCRIPTORS, RESTING = 20, 0.2


def process_seconds(stat):
    """User and system time of a whole process, from the text of /proc/PID/stat."""
    fields = stat.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine_seconds(stat):
    """Busy time of all cores together, steal included, from the text of /proc/stat."""
    fields = [int(field) for field in stat.split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _iowait, irq, softirq, steal = fields
    return (user + nice + system + irq + softirq + steal) / TICKS


def status_field(status, name):
    """A number of /proc/PID/status: kB of a memory field, else a count."""
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
    """0 for a process that is not there."""
    stat = _read(f"/proc/{pid}/stat") if pid else ""
    return process_seconds(stat) if stat else 0.0


def command_line(pid):
    return _read(f"/proc/{pid}/cmdline") if pid else ""


def runs(pid):
    """Whether there is such a process. Its command line would not tell: it is empty for a moment within an exec, and
    an ending process loses it before its sockets."""
    stat = _read(f"/proc/{pid}/stat") if pid else ""
    return bool(stat) and stat.rsplit(")", 1)[1].split()[0] != "Z"


def children(pid):
    """Processes that this one has started and that still run."""
    stats = ((int(file.parent.name), _read(file)) for file in Path("/proc").glob("[0-9]*/stat"))
    return [child for child, stat in stats if stat and int(stat.rsplit(")", 1)[1].split()[1]) == pid]


def rss_kb(pid):
    return status_field(_read(f"/proc/{pid}/status"), "VmRSS")


def live_heap_kb(pid, jcmd):
    """What is alive in a JVM's heap, by a full collection."""
    told = subprocess.run([jcmd, str(pid), "GC.class_histogram"], capture_output=True, text=True, check=True).stdout
    return int(told.split()[-1]) / 1024


def pin(pid, cores):
    """Lets all threads of a process, and those they start, run on these cores only."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            os.sched_setaffinity(int(thread), cores)
        except ProcessLookupError:
            pass  # it has ended meanwhile


def threads(pid):
    """Threads of the system: virtual ones are not among them."""
    return status_field(_read(f"/proc/{pid}/status"), "Threads")


def descriptors(pid):
    """Open files and sockets of a process."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def await_settled(pid, before, patience=20.0, look=0.3):
    """Waits until a server has closed what was opened since it had `before` descriptors, and has come to rest.

    The next measurement must not see the last one's members leave.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        used = cpu_seconds(pid)
        time.sleep(look)
        if descriptors(pid) <= before + SPARE_DESCRIPTORS and cpu_seconds(pid) - used <= look * RESTING:
            return True
    return False


def children_seconds():
    """CPU of the processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Window:
    """The CPU that some processes, and all others, use between its making and close()."""

    def __init__(self, **pids):
        self.pids = {name: pid for name, pid in pids.items() if pid}
        self._before = self._look()

    def _look(self):
        return (time.monotonic(), machine_seconds(_read("/proc/stat")), cpu_seconds(os.getpid()),
                {name: cpu_seconds(pid) for name, pid in self.pids.items()})

    def close(self, ended=0.0):
        """Returns seconds, CPU seconds by name, and the share of all cores that others had.

        `ended` are CPU seconds of processes of ours that have come and gone in between.
        """
        before, after = self._before, self._look()
        seconds = after[0] - before[0]
        cpu = {name: after[3][name] - before[3][name] for name in self.pids}
        own = sum(cpu.values()) + after[2] - before[2] + ended
        return seconds, cpu, foreign_share(after[1] - before[1], own, seconds)


class Trace(threading.Thread):
    """The CPU that some processes have used, looked at again and again until end()."""

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
        """CPU seconds by name in so many seconds in a row: those in which all whose name begins so used most."""
        def between(begin):
            until = self.at(begin + seconds)
            return {name: until[name] - used for name, used in self.at(begin).items()}

        last = self.samples[-1][0] - seconds
        begins = [at for at, _ in self.samples if at <= last] or [self.samples[0][0]]
        return max(map(between, begins),
                   key=lambda cpu: sum(used for name, used in cpu.items() if name.startswith(prefix)))

    def at(self, when):
        """CPU seconds by name, between samples in proportion; a process that has ended keeps what it had."""
        before, after = self.samples[0], self.samples[0]
        for sample in self.samples:
            before, after = after, sample
            if sample[0] >= when:
                break
        share = min(1.0, max(0.0, (when - before[0]) / ((after[0] - before[0]) or 1)))
        return {name: used + share * max(0.0, after[1][name] - used) for name, used in before[1].items()}


def foreign_share(busy, own, seconds, cores=CORES):
    """The share of all cores that was used by neither us nor the idle loop; ticks may make it negative."""
    return max(0.0, (busy - own) / (seconds * cores)) if seconds > 0 else 0.0


def is_disturbed(row):
    return row.get("foreign", 0) > DISTURBED
