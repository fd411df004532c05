"""Draws what RabbitMQ's management pages show of a run, as SVG and CSV, from its own statistics after the run.

Usage: ./chatflow charts DIRECTORY [--url http://127.0.0.1:15672] [--user guest] [--vhost /] [--last 60] [--step 5]

--url     management API; the password is read from RABBITMQ_PASSWORD (default guest)
--user    any user with the tag monitoring
--last    seconds to draw: up to 600 at --step 5, up to 3600 at --step 60 (RabbitMQ's sample retention policies)
--step    seconds between two samples; at least 5, or the broker's collect_statistics_interval if that is longer

Writes into DIRECTORY: queued.svg (ready, unacked, total of the virtual host's queues without logs: what a log holds it
retains, read or not), rates.svg (publish, confirm, deliver, ack, redeliver per second of the whole broker), names.txt
(connections, channels with what they have not acknowledged now, queues and logs) and charts.csv.
Nothing has to run during the load. Needs python3 alone.
Everything here counts AMQP messages: a flight carries up to 500 chat messages. chatflow_flight_messages has how many.
"""
import argparse
import csv
import json
import os
import urllib.parse
from pathlib import Path

from . import chart
from .common import Problem, fetch

QUEUED = [("ready", "messages_ready"), ("unacked", "messages_unacknowledged"), ("total", "messages")]
RATES = [("publish", "publish"), ("confirm", "confirm"), ("deliver", "deliver"), ("ack", "ack"),
         ("redeliver", "redeliver")]


class Api:
    """RabbitMQ's management API."""

    def __init__(self, url, user, password):
        self.url, self.user = url.rstrip("/"), f"{user}:{password}"

    def get(self, path):
        return json.loads(fetch(f"{self.url}/api/{path}", user=self.user, timeout=30))


def record(said):
    """A record of the API: the broker writes one that has nothing in it as an empty list."""
    return said or {}


def samples(details):
    """Samples of one statistic as (seconds, value), oldest first; the broker gives the newest first."""
    return sorted((s["timestamp"] / 1000, s["sample"]) for s in record(details).get("samples", []))


def is_log(queue):
    """A shard's log is a stream."""
    return queue.get("type") == "stream"


def levels(queues, names):
    """Absolute values, such as queued messages, of all queues but logs together: label -> [(seconds, value)]."""
    series = {}
    for label, name in names:
        sums = {}
        for queue in queues:
            for second, value in [] if is_log(queue) else samples(queue.get(name + "_details")):
                sums[second] = sums.get(second, 0) + value
        series[label] = sorted(sums.items())
    return series


def rates(group, names):
    """Counters only grow: a rate is the difference of two neighbours over their distance."""
    series = {}
    for label, name in names:
        points = samples(group.get(name + "_details"))
        series[label] = [(b[0], max(0, b[1] - a[1]) / (b[0] - a[0])) for a, b in zip(points, points[1:]) if b[0] > a[0]]
    return series


def table(series):
    """Rows of a CSV: seconds since the first sample, then one column for each line."""
    times = sorted({t for line in series.values() for t, _ in line})
    values = {label: dict(line) for label, line in series.items()}
    yield ["second", *series]
    for t in times:
        yield [round(t - times[0], 1), *(round(values[label].get(t, 0), 2) for label in series)]


def names(api, vhost, queues):
    """Connections, channels and queues as the pages list them."""
    host = urllib.parse.quote(vhost, safe="")
    connections = {c["name"]: c.get("user_provided_name", "(no name)") for c in api.get(f"vhosts/{host}/connections")}
    lines = [f"connection  {name}" for name in connections.values()]
    for channel in api.get(f"vhosts/{host}/channels"):
        connection = connections.get(record(channel.get("connection_details")).get("name"), "(closed)")
        does = "publishes with confirms" if channel.get("confirm") else \
            f"prefetch {channel.get('prefetch_count', 0)}, {channel.get('messages_unacknowledged', 0)} unacknowledged"
        lines.append(f"channel     {connection} ({channel.get('number', '-')})  {does}")
    lines += [f"{'log  ' if is_log(q) else 'queue'}       {q['name']}  {q.get('consumers', 0)} consumers" for q in queues]
    return sorted(lines)


def draw(overview, queues, directory):
    """Writes the charts and the table from the answers of /api/overview and /api/queues; the names of the files."""
    queued = levels(queues, QUEUED)
    moved = rates(record(overview.get("message_stats")), RATES)
    pictures = {"queued.svg": chart.lines("Queued messages, without logs", "AMQP messages", queued),
                "rates.svg": chart.lines("Message rates", "AMQP messages/s", moved)}
    if not any(pictures.values()):
        raise Problem("the broker has no samples: is its sample retention shorter than --last, or has nothing run?")
    for name, picture in pictures.items():
        if picture:
            Path(directory, name).write_text(picture, encoding="utf-8")
    with open(Path(directory, "charts.csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(table({**queued, **moved}))
    return [name for name, picture in pictures.items() if picture] + ["charts.csv"]


def main(arguments):
    parser = argparse.ArgumentParser(prog="./chatflow charts", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--url", default="http://127.0.0.1:15672")
    parser.add_argument("--user", default="guest")
    parser.add_argument("--vhost", default="/")
    parser.add_argument("--last", type=int, default=60)
    parser.add_argument("--step", type=int, default=5)
    options = parser.parse_args(arguments)
    api = Api(options.url, options.user, os.environ.get("RABBITMQ_PASSWORD", "guest"))
    ages = "&".join(f"{kind}_age={options.last}&{kind}_incr={options.step}" for kind in ("lengths", "msg_rates"))
    try:
        options.directory.mkdir(parents=True, exist_ok=True)
        queues = api.get(f"queues/{urllib.parse.quote(options.vhost, safe='')}?{ages}")
        files = draw(api.get("overview?" + ages), queues, options.directory)
        (options.directory / "names.txt").write_text("\n".join(names(api, options.vhost, queues)) + "\n", encoding="utf-8")
    except (Problem, ValueError, OSError) as e:
        return f"charts: {e}"
    print(f"written to {options.directory}: {', '.join([*files, 'names.txt'])}")
    return 0
