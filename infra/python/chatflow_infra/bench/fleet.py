"""Windows of several servers on one broker: at rest with all shards attached, at a rate, as fast as can be."""
import time
from pathlib import Path

from .. import proc
from ..common import CLIENT, call, get, java, jvm, wait_until
from ..programs import total
from .measured import client_row
from .scaling import CLIENT_EYES, further

#: Own entries of a server's logs, beacons included: of all servers together what is published.
ENTRIES = "chatflow_log_lag_seconds_count"
#: After the load that warms them up: beacons of all lanes are in step again.
SETTLE_SECONDS = 3
COLUMNS = [
    ("rest_server", "a server at rest, % of a core"), ("rest_broker", "broker at rest, %"), ("rest_entries", "entries/s at rest"),
    ("heap", "live heap MiB a server"), ("rss", "RSS MiB"), ("threads", "threads"), ("disk", "disk MB"),
    ("paced_entries", "entries/s of the whole run"), ("paced_lines", "messages/flight"), ("paced_p50", "p50 ms"), ("paced_p99", "p99 ms"),
    ("paced_server", "servers, %"), ("paced_broker", "broker, %"),
    ("accepted", "messages/s, all they can"), ("deliveries", "deliveries/s"), ("server", "servers µs a delivery"),
    ("broker_message", "broker µs a message"),
]
NAMES = [name for name, _ in COLUMNS] + ["foreign"]


def load(site, options, where):
    """What the load client found."""
    return site.load(where, "--slo", "none", "--connect-rate", "2000", "--timeout", "60s", "--drain", "60s", *options,
                     program=[java(), *jvm("CLIENT"), *CLIENT_EYES, "-jar", CLIENT]).result(1800)


def measure(site, servers, broker, shards, options):
    """One row: the servers attach all shards, get warm, rest, have a rate to bear, and then all that the client can send."""
    users = ["--rooms", options.rooms, "--room-size", options.room_size]
    attach_all(servers, servers.cluster.urls(), shards)
    load(site, [*users, "--messages", options.warm], servers.urls("direct", "off"))
    time.sleep(SETTLE_SECONDS)
    row = dict(at_rest(servers, options.seconds), **memory(servers), disk=sum(map(disk_bytes, broker.data)) / 1e6)
    paced = loaded(site, servers, [*users, "--rate", options.rate, "--warmup", "2s", "--duration", f"{options.seconds + 2}s"])
    row |= {f"paced_{name}": paced[name] for name in ("entries", "lines", "p50", "p99")}
    row |= {f"paced_{name}": paced[name + "_share"] for name in ("server", "broker")}
    full = loaded(site, servers, [*users, "--messages", options.messages])
    verdicts = dict.fromkeys((paced["verdict"], full["verdict"]))
    return row | {name: full[name] for name in ("accepted", "deliveries", "server", "broker_message")} | dict(
        foreign=max(row["foreign"], paced["foreign"], full["foreign"]), verdict=" / ".join(verdicts))


def attach_all(servers, urls, shards):
    """Who asks for all rooms makes a server read all logs; while it reads back long ones the answer may be 503."""
    def is_attached():
        for url in urls:
            get(url.replace("ws", "http", 1).removesuffix("/chat") + "/api/rooms", timeout=120)
        return total(servers.metrics(), "chatflow_attach_seconds_count") >= shards * len(servers.pids)

    wait_until(is_attached, f"{shards} shards attached by {len(servers.pids)} servers", 300)


def together(cpu):
    """Of all servers and of all nodes."""
    return {name: sum(used for key, used in cpu.items() if key.startswith(name)) for name in ("server", "broker")}


def at_rest(servers, seconds):
    before = servers.metrics()
    window = proc.Window(**servers.measured)
    time.sleep(seconds)
    lasted, cpu, foreign = window.close()
    cpu, after = together(cpu), servers.metrics()
    return dict(rest_server=100 * cpu["server"] / lasted / len(servers.pids), rest_broker=100 * cpu["broker"] / lasted,
                rest_entries=(total(after, ENTRIES) - total(before, ENTRIES)) / lasted, foreign=foreign)


def memory(servers):
    """Of one server in the middle: what lives in its heap, and what it has of the machine."""
    for pid in servers.pids:
        call(Path(java()).with_name("jcmd"), pid, "GC.run")
    number = len(servers.pids)
    return dict(heap=total(servers.metrics(), "jvm_memory_used_bytes", 'area="heap"') / number / 2**20,
                rss=sum(map(proc.rss_kb, servers.pids)) / number / 1024, threads=sum(map(proc.threads, servers.pids)) / number)


def disk_bytes(directory):
    """Blocks that files below it take."""
    sizes = 0
    for file in directory.rglob("*"):
        try:
            sizes += file.lstat().st_blocks * 512
        except OSError:  # gone meanwhile
            pass
    return sizes


def loaded(site, servers, options):
    """A run of the client as a row; shares are per cent of one core during the whole of it."""
    before = servers.metrics()
    window = proc.Window(**servers.measured)
    children = proc.children_seconds()
    ran = load(site, options, servers.urls("direct", "off"))
    lasted, cpu, foreign = window.close(ended=proc.children_seconds() - children)
    cpu, after = together(cpu), servers.metrics()
    return dict(client_row(ran, cpu, before, after, {}), **further(ran, cpu, before, after), foreign=foreign,
                accepted=ran["rates"]["acceptedPerSecond"], entries=(total(after, ENTRIES) - total(before, ENTRIES)) / lasted,
                server_share=100 * cpu["server"] / lasted, broker_share=100 * cpu["broker"] / lasted)
