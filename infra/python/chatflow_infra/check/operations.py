"""What an operator relies on: users with the least rights, dashboards and rules that bring data."""
import re
import shutil
import sys
from pathlib import Path

from ..common import CONSUMER, LAB, ROOT, Problem, expect, free_port, get, wait_until
from .dashboards import Prometheus, mishaps, wrong_with
from .registry import check

#: Seconds of the load that dashboards are asked about.
LOAD_SECONDS = 8
#: So long their data may take to come; they are asked about the last two minutes.
DATA_SECONDS = 60
#: The broker's users, as the table of docs/reference/broker-rights.md has them; the last may do everything.
USERS = ("server", "consumer", "monitor", "admin")


def broker_of(run):
    """With exactly the files of infra/rabbitmq and new passwords."""
    return run.site.broker(with_files=True)


def load_and_audit(run, broker, server, recorder):
    """A small load observed as monitor, then its audit; both exact."""
    out = run.directory / "load"
    load = run.site.load([server.chat], "--rooms", "8", "--room-size", "10", "--messages", "100",
                         "--broker", broker.observer("monitor"), "--consumer", recorder, "-o", out)
    observed = load.proved()["observed"]
    expect("broker" in observed and not observed.get("complaints"), f"the monitor does not see all: {observed}")
    compared = run.site.java("compare", "-jar", CONSUMER, "compare", out / "senders.csv", recorder)
    expect(compared.wait() == 0, f"the audit differs:\n{compared.text()}")


def refusals(broker):
    """What the broker refused so far."""
    lines = [line for file in (broker.node / "log").glob("*.log") for line in file.read_text().splitlines()]
    return [line for line in lines if re.search("access_refused|denied", line, re.I) and "'guest'" not in line]


def told(run, program, pattern):
    """A missing right is told in one line, with what to do."""
    line = program.await_line(f"^.*{pattern}.*$")[0]
    expect("infra/rabbitmq/definitions" in line, f"does not say where rights are: {line}")
    run.say(f"told: {line[:300]}")


@check("rights", "the broker's users may do what docs/reference/broker-rights.md states, and nothing else; another's user is told in words", 50,
       needs=("rabbitmq",), uses_programs=True)
def rights(run):
    run.session.lab()
    broker = broker_of(run)
    # The server first: a consumer that finds no number of shards tries to declare it, and is refused.
    server = run.site.server(broker=broker.uri("server"), CHATFLOW_SERVER_ID="server-1")
    consumer = run.site.consumer(broker.uri("consumer"))
    load_and_audit(run, broker, server, consumer.api)
    for program in (server, consumer):
        status = program.end()
        expect(status == 0, f"the {program.name} ended with {status}:\n{program.text()[-2000:]}")
    expect(not refusals(broker), "the broker refused:\n" + "\n".join(refusals(broker)))
    wrong = run.site.server(broker=broker.uri("consumer"), is_awaited=False, CHATFLOW_SERVER_ID="server-1")
    told(run, wrong, r"ACCESS_REFUSED - .*access to queue 'chat\.shards'")
    wrong.await_line("^not ready yet")
    wrong.await_reason("ACCESS_REFUSED")
    told(run, run.site.consumer(broker.uri("monitor")), r"ACCESS_REFUSED - .*access to queue 'chat\.shards'")
    expect(refusals(broker), "the broker's log tells of no refusal: this check does not see them")
    return matrix(run, broker)


def matrix(run, broker):
    """The broker allows each user exactly the operations that docs/reference/broker-rights.md promises."""
    promised = rights_table((ROOT / "docs/reference/broker-rights.md").read_text(encoding="utf-8"))
    tried = run.site.java("rights", "-cp", LAB, "dev.chatflow.lab.broker.Rights", *(f"{user}={broker.uri(user)}" for user in USERS))
    expect(tried.wait() == 0, f"the operations cannot be tried:\n{tried.text()[-2000:]}")
    found = {tuple(line.split("\t")[:2]): line.split("\t")[2] for line in tried.text().splitlines() if line.count("\t") == 2}
    wrong = [f"{operation} as {user}: {found.get((operation, user), 'not tried')}, promised {promised.get((operation, user), 'nothing')}"
             for operation, user in sorted(found | promised) if found.get((operation, user)) != promised.get((operation, user))]
    expect(found and not wrong, "not as docs/reference/broker-rights.md has it:\n" + "\n".join(wrong))
    return f"{len(found)} operations of {len(USERS)} users"


def rights_table(text):
    """(operation, user) -> yes or no."""
    lines = text.split("\n| operation | ", 1)[1].split("\n\n", 1)[0].splitlines()
    users = [cell.strip() for cell in lines[0].strip("|").split("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {(row[0], user): answer for row in rows for user, answer in zip(users, row[1:], strict=True)}


@check("dashboards", "every expression of dashboards and rules brings data", 50,
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
    wait_until(lambda: jobs <= prometheus.jobs_asked(2), f"two answers for each of {sorted(jobs)}")  # a rate needs what was before
    mishaps(server.http)
    run.site.load([server.chat], "--rooms", "8", "--room-size", "5", "--rate", "400", "-d", f"{LOAD_SECONDS}s", "--slo", "none").proved()
    return f"{until_nothing_is_wrong(prometheus)} expressions"


def containers(run):
    """The address of a page as cAdvisor has it."""
    folder = run.directory / "cadvisor"
    folder.mkdir()
    shutil.copy(Path(__file__).with_name("cadvisor.prom"), folder / "metrics")
    port = free_port()
    run.site.start("cadvisor", sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", folder)
    return f"http://127.0.0.1:{port}"


def until_nothing_is_wrong(prometheus):
    """The number of expressions when each brings data: what the load did comes with the next answers. Else the last complaints."""
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
    """With the files of infra/monitoring, asking every second instead of every fifth."""
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
