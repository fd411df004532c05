"""What benchmarks do with several servers on one broker."""
from ..common import CLIENT, get, java, jvm, wait_until
from ..programs import total
from .scaling import CLIENT_EYES


def load(site, options, where):
    """What the load client found."""
    return site.load(where, "--slo", "none", "--connect-rate", "2000", "--timeout", "60s", "--drain", "60s", *options,
                     program=[java(), *jvm("CLIENT"), *CLIENT_EYES, "-jar", CLIENT]).result(1800)


def attach_all(servers, urls, shards):
    """Who asks for all rooms makes a server read all logs; while it reads back long ones the answer may be 503."""
    def is_attached():
        for url in urls:
            get(url.replace("ws", "http", 1).removesuffix("/chat") + "/api/rooms", timeout=120)
        return total(servers.metrics(), "chatflow_attach_seconds_count") >= shards * len(servers.pids)

    wait_until(is_attached, f"{shards} shards attached by {len(servers.pids)} servers", 300)
