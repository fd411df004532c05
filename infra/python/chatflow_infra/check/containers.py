"""Runs containers: only the image, then with Docker Compose one to four servers behind HAProxy."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from ..common import CLIENT, ROOT, Problem, Skipped, call, expect, java, wait_until
from ..programs import Load
from .registry import NAMED, check

HERE = ROOT / "infra/compose"
#: Kept on the machine like that of the check `release`: the equivalent of the build stage's image.
BUILDER = Path("/var/lib/chatflow/bare-builder")
BUILDER_PACKAGES = "ca-certificates,maven,openjdk-25-jdk-headless"
CHAT = "ws://127.0.0.1:28080/chat"


class Engine:
    """Docker with the base images, and a new engine if none runs. Kept in target for later runs."""

    def __init__(self, run):
        kept = ROOT / "target/containers"
        kept.mkdir(parents=True, exist_ok=True)
        self.run, self.kept, self.own = run, kept, None
        self.environment = os.environ | {"DOCKER_BUILDKIT": "0"}
        if subprocess.run(["docker", "info"], capture_output=True, check=False).returncode:
            self.environment["DOCKER_HOST"] = call(HERE / "engine", "start", kept, skips=3).strip().splitlines()[-1]
            self.own = kept
            run.site.callback(call, HERE / "engine", "stop", kept)
        try:
            run.say(call(HERE / "images", kept, environment=self.environment, timeout=3600))
        except Problem as e:
            raise Skipped(str(e).strip().splitlines()[-1]) from e

    def docker(self, *words):
        said = call("docker", *words, environment=self.environment)
        self.run.say(f"docker {' '.join(map(str, words))}", said)
        return said.strip()

    def inside(self, *command):
        """Runs a command with access to published ports."""
        return [HERE / "engine", "inside", self.own, *command] if self.own else list(command)

    def load(self, chat, token, *options):
        """Runs a load client with access to published ports."""
        return self.run.site.keep(Load(self.run.directory, [chat], "--token", f"@{token}", *options,
                                       program=self.inside(java(), "-Xmx512m", "-jar", CLIENT)))


def build_stage():
    """Returns the commands of the image's first stage."""
    stage = re.search(r"(?ms)^FROM \$\{BUILD\} AS build$(.*?)^FROM ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))[1]
    return re.search(r"(?ms)^RUN (.*?[^\\])$", stage)[1]


@check("image-build", "the commands of the image's first stage, run on a bare machine with Maven and a JDK 25, make a release", 120,
       when=NAMED, needs=("linux", "root", "debootstrap", "maven"), uses_programs=True, uses_release=True)
def image_build(run):
    """Builds in a new clone. Maven has the files of earlier builds."""
    call(ROOT / "infra/bare", "make", BUILDER, BUILDER_PACKAGES, skips=4)
    run.session.release()
    home = run.directory / "home"
    call("git", "clone", "--quiet", "--no-hardlinks", ROOT, home / "src")
    (home / "stage").write_text(build_stage(), encoding="utf-8")
    (home / "script").write_text(
        "set -e\nmv src /src\ncd /src\nsh ~/stage\nstat -c 'keeps %u %g %a' /var/lib/chatflow\n"
        "cd /opt/chatflow\nsha256sum --quiet -c SHA256SUMS\n./chatflow demo --rooms 2 --room-size 5 --messages 50\n", encoding="utf-8")
    said = call(ROOT / "infra/bare", "build", BUILDER, home, timeout=3600)
    run.say(said)
    expect("keeps 10001 10001 700" in said, "the volume's folder is not private to the image's user")
    return re.search(r"(?m)^PASS .*$", said)[0]


@check("image", "docker run works at once: a key created at the first start, unprivileged, read-only root, healthy, SIGTERM drains", 60,
       when=NAMED, needs=("docker", "linux", "maven"), uses_programs=True, uses_release=True)
def image(run):
    """The build stage, which image-build tests, finds an existing release."""
    run.session.release()
    engine = Engine(run)
    bases = [word for name in ("BUILD", "BASE") for word in ("--build-arg", f"{name}=chatflow-ci/jre")]
    engine.docker("build", "--quiet", "--network", "none", "--tag", "chatflow-ci/image", *bases, ROOT)
    container = engine.docker("run", "--detach", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--memory", "768m", "--publish", "28090:8080",
                              "chatflow-ci/image")
    run.site.callback(engine.docker, "rm", "--force", "--volumes", container)
    await_health(engine, container)
    expect(engine.docker("exec", container, "id", "-u") == "10001", "it is privileged")
    link = re.search(r"link +http://localhost:8080/#token=(\S+)", engine.docker("logs", container))
    expect(link, "no link is printed")
    token = run.directory / "service.token"
    token.write_text(engine.docker("exec", container, "./chatflow", "token", "--key", "/var/lib/chatflow/token.key", "--service"), encoding="utf-8")
    chat = "ws://127.0.0.1:28090/chat"
    counts = engine.load(chat, token, "--rooms", 4, "--room-size", 10, "--messages", 50).proved()["counts"]
    engine.docker("stop", "--time", 60, container)
    expect(engine.docker("inspect", "--format", "{{.State.ExitCode}}", container) == "0", "SIGTERM did not end it cleanly")
    expect("drained" in engine.docker("logs", container), "it did not drain")
    engine.docker("start", container)
    await_health(engine, container)
    engine.load(chat, token, "--rooms", 1, "--room-size", 2, "--messages", 5).proved()
    return f"{counts['deliveries']:,} deliveries; a token from before the restart is valid"


def await_health(engine, container):
    wait_until(lambda: engine.docker("inspect", "--format", "{{.State.Health.Status}}", container) == "healthy", "the container is healthy")


class Containers(Engine):
    """A separate project from one that may already run here."""

    def __init__(self, run):
        super().__init__(run)
        self.token = run.directory / "secrets/service.token"
        self.environment |= {"CHATFLOW_COMPOSE_SECRETS": str(run.directory / "secrets"), "COMPOSE_PROJECT_NAME": "chatflow-check"}
        if subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode:
            self.environment.setdefault("COMPOSE", str(self.kept / "docker-compose"))
        run.site.callback(self.down)

    def compose(self, *words):
        said = call(HERE / "compose", "--env-file", HERE / "ci.env", *words, environment=self.environment)
        self.run.say(f"compose {' '.join(map(str, words))}", said)
        return said

    def down(self):
        if shutil.which("docker"):
            self.compose("down", "--volumes")

    def users(self, *options):
        return self.load(CHAT, self.token, *options)

    def await_status(self, pattern):
        wait_until(lambda: re.search(pattern, self.compose("status")), f"{pattern} in the status", 180)

    def asked(self, path, *query):
        """Returns an answer of the profile's Prometheus."""
        words = [word for one in query for word in ("--data-urlencode", one)]
        done = subprocess.run([str(w) for w in self.inside("curl", "-s", "--max-time", "5", "--get", *words,
                                                           f"http://127.0.0.1:29090/api/v1/{path}")],
                              capture_output=True, text=True, check=False)
        return done.stdout

    def await_number(self, number, query):
        def value():
            try:
                result = json.loads(self.asked("query", f"query={query}"))["data"]["result"]
                return bool(result) and result[0]["value"][1] == str(number)
            except (ValueError, KeyError):
                return False
        wait_until(value, f"{query} = {number}", 180)


@check("compose", "1 to 4 servers in containers: exact loads through the balancer, monitoring, a kill and a drain during a run", 180,
       when=NAMED, needs=("docker", "linux"), uses_programs=True, uses_release=True)
def compose(run):
    """Runs with an image of a release."""
    run.session.release()
    containers = Containers(run)
    containers.compose("up", 1)
    containers.await_status(r"server-1 +running +UP")
    containers.users("--rooms", 8, "--room-size", 10, "--messages", 100).proved()
    containers.compose("scale", 4)
    containers.await_status(r"server-4 +running +UP")
    containers.users("--rooms", 8, "--room-size", 10, "--messages", 100).proved()
    monitoring(containers)
    load = containers.users("--rooms", 8, "--room-size", 5, "--rate", 100, "-d", "60s", "--reconnect", "--allow-retry-duplicates",
                           "--slo", "none")
    containers.await_status(r"server-1 +running +UP +10\n")
    containers.compose("kill", 1)
    containers.compose("drain", 2)
    containers.await_status(r"server-3 +running +UP +20\n")
    containers.compose("start", 1)
    containers.await_status(r"server-1 +running +UP")
    counts = load.proved()["counts"]
    # Both happened during the run: ten were killed, ten asked to leave; all returned.
    expect(counts["closeCodes"].get("1001") and counts["closeCodes"].get("1006"), f"no kill and drain during the run: {counts['closeCodes']}")
    containers.down()
    left = call("docker", "ps", "--all", "--quiet", "--filter", "label=com.docker.compose.project=chatflow-check",
                environment=containers.environment)
    expect(not left.strip(), f"remaining containers: {left}")
    return f"{counts['deliveries']:,} deliveries with a kill and a drain"


def monitoring(containers):
    """Tests the profile except Grafana, which Debian does not package: each server is scraped, and the rules are loaded."""
    containers.compose("--", "--profile", "monitoring", "up", "--detach", "--no-build", "--wait", "prometheus", "node")
    containers.await_number(4, 'count(up{job="chatflow"} == 1)')
    containers.await_number(4, "count(sum by (server_id) (chatflow_connections) >= 0)")
    containers.await_number(1, 'count(up{job="rabbitmq"} == 1)')
    containers.await_number(1, 'count(up{job="haproxy"} == 1)')
    containers.await_number(1, "count(node_memory_MemAvailable_bytes > 0)")
    wait_until(lambda: '"type":"alerting"' in containers.asked("rules"), "rules in Prometheus")
