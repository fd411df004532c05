"""Where a message's time goes between its frame and the last write: the server's own meters of each part, in one run."""
from .. import chart
from ..programs import Site, total
from .measured import NEIGHBOURS, histogram_quantile, run_client, run_client_beside
from .report import Report
from .whole import broker_of, named, server_of

#: Labels of chatflow_stage_seconds in the order of a message's way, and what each is.
STAGES = {
    "accept": "frame read to lane", "lane": "waits for its flight", "broker": "published to read back",
    "append": "read back to room log", "write": "room log to written",
}
WHOLE = "due to shown, the client's p50"


def hops(options):
    """Means add up to the way of a message through its server; their p99 do not."""
    with Site() as site:
        broker = broker_of(site, options.broker)
        report = Report("hops", [("neighbour", "neighbour"), ("hop", "part"), ("mean", "mean ms"), ("p99", "p99 ms, at most"),
                                 ("share", "% of all"), ("windows", "windows")],
                        f"{named(broker)}, open loop of {options.rate:,} messages/s, 1,000 connections, 20 rooms of 50, "
                        f"-Xmx{options.heap}, {options.repeat} runs of {options.seconds} s on a warm server", options.docs)
        with server_of(site, broker, options) as server:
            users = ["--rooms", 20, "--connect-rate", "2000", "--rate", options.rate]
            run_client(site, server, broker, [*users, "--duration", f"{options.settle}s"])
            for _ in range(options.repeat):
                for neighbour in NEIGHBOURS[options.neighbour]:
                    _window(report, site, server, broker, [*users, "--duration", f"{options.seconds}s"], neighbour)
    rows = report.medians(("neighbour", "hop"), ["mean", "p99", "share"])
    groups = [(hop, {{"no": "alone", "yes": "beside a neighbour"}[row["neighbour"]]: row["mean"] for row in rows if row["hop"] == hop})
              for hop in [*STAGES.values(), WHOLE]]
    report.chart("hops", chart.bars(f"A message's way, {options.rate:,} messages/s", "mean ms", groups))
    return report.finish()


def _window(report, site, server, broker, load, neighbour):
    before = server.metrics()
    run = run_client_beside(neighbour, site, server, broker, load)
    after = server.metrics()
    means = {stage: 1000 * _mean(before, after, stage) for stage in STAGES}
    common = dict(neighbour=neighbour, foreign=run["foreign"], verdict=run["verdict"])
    for stage, hop in STAGES.items():
        p99 = 1000 * histogram_quantile("chatflow_stage_seconds", _of(before, stage), _of(after, stage), 0.99)
        report.window(dict(common, hop=hop, mean=means[stage], p99=p99, share=100 * means[stage] / sum(means.values())))
    report.window(dict(common, hop=WHOLE, mean=run["p50"], p99=run["p99"], share=None))


def _of(metrics, stage):
    return {name: value for name, value in metrics.items() if f'stage="{stage}"' in name}


def _mean(before, after, stage):
    label = f'stage="{stage}"'
    count, used = (total(after, f"chatflow_stage_seconds_{part}", label) - total(before, f"chatflow_stage_seconds_{part}", label)
                   for part in ("count", "sum"))
    return used / max(1, count)
