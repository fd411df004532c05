"""Memory of idle connections: one JOIN each, then silence."""
import resource
import time

from .. import chart, proc
from ..common import Problem
from ..programs import Site
from .measured import Crowd
from .report import Report
from .whole import broker_of, named

#: The launcher's default settings come from the script itself; these are the smallest that hold 10,000.
SMALLEST = ("-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xmx192m -Xmn8m -XX:TieredStopAtLevel=1 "
            "-Dorg.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE=192")
#: The third row: the WAR in a stock Tomcat with the files of infra/tomcat.
TOMCAT, TOMCAT_JVM = "stock Tomcat", "as in infra/tomcat/setenv.sh"
WARM_CONNECTIONS = 500


def idle(options):
    """RSS added per connection, for the launcher's default JVM options, for the smallest, and for a stock Tomcat."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit < options.connections + 500:
        raise Problem(f"{options.connections} connections need more open files than {limit}: ulimit -n")
    settings = {"default": options.default_jvm, "smallest": options.smallest_jvm}
    with Site() as site:
        broker, crowd = broker_of(site, options.broker), site.keep(Crowd())
        if broker:  # a stock Tomcat has none in its own JVM
            settings[TOMCAT] = TOMCAT_JVM
        report = Report(
            "idle", [("settings", "settings"), ("jvm", "JVM options"), ("connections", "connections"),
                     ("before", "RSS before MiB"), ("after", "RSS with all MiB"), ("added", "added KB a connection"),
                     ("total", "in all KB a connection"), ("threads", "threads"), ("verdict", "verdict")],
            f"{options.connections:,} connections in rooms of 50, one JOIN each, {named(broker)}, "
            f"{options.repeat} servers each", options.docs)
        for _ in range(options.repeat):
            for name, jvm in settings.items():
                report.window(dict(_measure(site, crowd, broker, jvm, options), settings=name, jvm=jvm))
        rows = report.medians(("settings", "jvm", "connections"), ("before", "after", "added", "total", "threads"))
        report.chart("idle-memory", chart.bars(
            "Idle connections, by JVM settings", "KB a connection",
            [(row["settings"], {"added": row["added"], "in all": row["total"]}) for row in rows]))
        return report.finish()


def _measure(site, crowd, broker, jvm, options):
    bound = options.connections + 1000
    if jvm == TOMCAT_JVM:
        server = site.tomcat(broker.uri(), CHATFLOW_MAX_CONNECTIONS=bound)
    else:
        server = site.server(memory=jvm.split(), broker=broker and broker.uri(), CHATFLOW_MAX_CONNECTIONS=bound)
    try:
        # Classes and code that the first connections bring are the server's, not theirs.
        descriptors = proc.descriptors(server.pid)
        crowd.ask("open", server.chat, min(WARM_CONNECTIONS, options.connections), 10, 0, 0, 0)
        crowd.ask("stop")
        proc.await_settled(server.pid, descriptors)
        time.sleep(options.settle)
        before = proc.rss_kb(server.pid)
        joined = crowd.ask("open", server.chat, options.connections, max(1, options.connections // 50), 0, 0, 0)
        time.sleep(options.settle)
        after, threads = proc.rss_kb(server.pid), proc.threads(server.pid)
        ended = crowd.ask("stop")
        exact = joined["open"] and ended["exact"]
        return dict(connections=options.connections, before=before / 1024, after=after / 1024,
                    added=(after - before) / options.connections, total=after / options.connections, threads=threads,
                    verdict="exact" if exact else "FAIL: " + (ended["failure"] or "counts differ"))
    finally:
        server.end()
