"""Tests for operators: broker users with minimal rights, dashboards and rules with data."""
import re
import shutil
import sys
from pathlib import Path

from ..common import CONSUMER, LAB, ROOT, Problem, expect, free_port, get, wait_until
from .dashboards import Prometheus, mishaps, wrong_with
from .registry import check

#: Seconds of the load for the dashboards.
LOAD_SECONDS = 8
#: Maximum seconds until their data arrive; queries cover the last two minutes.
DATA_SECONDS = 60
#: The broker's users, as in the table of docs/reference/broker-rights.md; the last has all rights.
USERS = ("server", "consumer", "monitor", "admin")


def broker_of(run):
    """Starts RabbitMQ with the files of infra/rabbitmq and new passwords."""
    return run.site.broker(with_files=True)


def load_and_audit(run, broker, server, recorder):
    """Runs a small load observed as monitor, then its audit; both must be exact."""
    out = run.directory / "load"
    load = run.site.load([server.chat], "--rooms", "8", "--room-size", "10", "--messages", "100",
                         "--broker", broker.observer("monitor"), "--consumer", recorder, "-o", out)
    observed = load.proved()["observed"]
    expect("broker" in observed and not observed.get("complaints"), f"the monitor does not see all: {observed}")
    compared = run.site.java("compare", "-jar", CONSUMER, "compare", out / "senders.csv", recorder)
    expect(compared.wait() == 0, f"the audit differs:\n{compared.text()}")


def refusals(broker):
    """Returns the broker's rejections so far."""
    lines = [line for file in (broker.node / "log").glob("*.log") for line in file.read_text().splitlines()]
    return [line for line in lines if re.search("access_refused|denied", line, re.I) and "'guest'" not in line]


def told(run, program, pattern):
    """Checks that a missing right is reported in one line with its solution."""
    line = program.await_line(f"^.*{pattern}.*$")[0]
    expect("infra/rabbitmq/definitions" in line, f"does not state where rights are set: {line}")
    run.say(f"told: {line[:300]}")


@check("rights", "the broker's users have exactly the rights in docs/reference/broker-rights.md; a user without them gets an explanation", 50,
       needs=("rabbitmq",), uses_programs=True)
def rights(run):
    run.session.lab()
    broker = broker_of(run)
    # The server first: a consumer without a number of shards tries to declare it, and is rejected.
    server = run.site.server(broker=broker.uri("server"), CHATFLOW_SERVER_ID="server-1")
    consumer = run.site.consumer(broker.uri("consumer"))
    load_and_audit(run, broker, server, consumer.api)
    for program in (server, consumer):
        status = program.end()
        expect(status == 0, f"the {program.name} ended with {status}:\n{program.text()[-2000:]}")
    expect(not refusals(broker), "the broker rejected:\n" + "\n".join(refusals(broker)))
    wrong = run.site.server(broker=broker.uri("consumer"), is_awaited=False, CHATFLOW_SERVER_ID="server-1")
    told(run, wrong, r"ACCESS_REFUSED - .*access to queue 'chat\.shards'")
    wrong.await_line("^not ready yet")
    wrong.await_reason("ACCESS_REFUSED")
    told(run, run.site.consumer(broker.uri("monitor")), r"ACCESS_REFUSED - .*access to queue 'chat\.shards'")
    expect(refusals(broker), "the broker's log has no rejection: this check cannot detect them")
    return matrix(run, broker)


def matrix(run, broker):
    """Checks that each user has exactly the rights in docs/reference/broker-rights.md."""
    promised = rights_table((ROOT / "docs/reference/broker-rights.md").read_text(encoding="utf-8"))
    tried = run.site.java("rights", "-cp", LAB, "dev.chatflow.lab.broker.Rights", *(f"{user}={broker.uri(user)}" for user in USERS))
    expect(tried.wait() == 0, f"the operations cannot be tried:\n{tried.text()[-2000:]}")
    found = {tuple(line.split("\t")[:2]): line.split("\t")[2] for line in tried.text().splitlines() if line.count("\t") == 2}
    wrong = [f"{operation} as {user}: {found.get((operation, user), 'not tried')}, promised {promised.get((operation, user), 'nothing')}"
             for operation, user in sorted(found | promised) if found.get((operation, user)) != promised.get((operation, user))]
    expect(found and not wrong, "differs from docs/reference/broker-rights.md:\n" + "\n".join(wrong))
    return f"{len(found)} operations of {len(USERS)} users"


def rights_table(text):
    """Returns (operation, user) -> yes or no."""
    lines = text.split("\n| operation | ", 1)[1].split("\n\n", 1)[0].splitlines()
    users = [cell.strip() for cell in lines[0].strip("|").split("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {(row[0], user): answer for row in rows for user, answer in zip(users, row[1:], strict=True)}


@check("dashboards", "every expression of dashboards and rules has data", 50,
       needs=("rabbitmq", "prometheus", "node-exporter"), uses_programs=True, mostly_waits=True)
def dashboards(run):
    broker = broker_of(run)
    consumer = run.site.consumer(broker.uri("consumer"))
    server = run.site.server(broker=broker.uri("server"), CHATFLOW_SERVER_ID="server-1")
    port = free_port()
    run.site.start("node-exporter", "prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{port}")
    prometheus = start_prometheus(run, {"chatflow": [server.admin], "chatflow-consumer": [consumer.api],
                                        "rabbitmq": [broker.metrics.removesuffix("/metrics")], "node": [f"http://127.0.0.1:{port}", containers(run)]})
    jobs = set(re.findall(r"(?m)^  - job_name: (\S+)", (ROOT / "infra/monitoring/prometheus.yml").read_text(encoding="utf-8")))
    wait_until(lambda: jobs <= prometheus.jobs_asked(2), f"two answers for each of {sorted(jobs)}")  # a rate needs earlier samples
    mishaps(server.http)
    run.site.load([server.chat], "--rooms", "8", "--room-size", "5", "--rate", "400", "-d", f"{LOAD_SECONDS}s", "--slo", "none").proved()
    return f"{until_nothing_is_wrong(prometheus)} expressions"


def containers(run):
    """Serves a page in the format of cAdvisor."""
    folder = run.directory / "cadvisor"
    folder.mkdir()
    shutil.copy(Path(__file__).with_name("cadvisor.prom"), folder / "metrics")
    port = free_port()
    run.site.start("cadvisor", sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", folder)
    return f"http://127.0.0.1:{port}"


def until_nothing_is_wrong(prometheus):
    """Waits until all expressions have data, which arrive with the next answers; returns their number, else raises the last errors."""
    files, asked, wrong = sorted((ROOT / "infra/monitoring/dashboards").glob("*.json")), 0, []

    def all_bring_data():
        nonlocal asked, wrong
        asked, wrong = wrong_with(prometheus, files)
        return not wrong
    try:
        wait_until(all_bring_data, "data of every expression", DATA_SECONDS)
    except Problem as e:
        raise Problem("\n".join([str(e), *wrong])) from e
    return asked


def start_prometheus(run, targets):
    """Starts Prometheus with the files of infra/monitoring, scraping every second instead of every fifth."""
    folder = run.directory / "monitoring"
    shutil.copytree(ROOT / "infra/monitoring", folder)
    configuration = folder / "prometheus.yml"
    configuration.write_text(configuration.read_text(encoding="utf-8").replace("_interval: 5s", "_interval: 1s"), encoding="utf-8")
    for name, urls in targets.items():
        addresses = ", ".join(f'"{url.split("//")[1]}"' for url in urls)
        (folder / f"targets/{name}.yml").write_text(f"- targets: [{addresses}]\n", encoding="utf-8")
    url = f"http://127.0.0.1:{free_port()}"
    run.site.start("prometheus", "prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={folder}/data",
                   f"--web.listen-address={url.removeprefix('http://')}")
    wait_until(lambda: get(f"{url}/-/ready")[0] == 200, "Prometheus is ready")
    return Prometheus(url)
