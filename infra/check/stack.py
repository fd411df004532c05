"""A whole installation on free loopback ports, for checks: RabbitMQ with the configuration and users of infra/rabbitmq,
the packaged server and standalone consumer, each as its own user. Nothing of it stays after stop()."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RABBITMQ = ROOT / "infra/rabbitmq"
WAR = ROOT / "server/target/chatflow.war"
CLIENT = ROOT / "client/target/chatflow-client.jar"
CONSUMER = ROOT / "consumer-lib/target/chatflow-consumer.jar"
START_SECONDS = 90


class Problem(Exception):
    """What was wrong, in a few lines."""


class Skipped(Exception):
    """What this machine lacks."""


def get(url, method="GET", body=None, timeout=10):
    """(status, text); status 0 when nobody answers."""
    request = urllib.request.Request(url, method=method, data=body, headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()
    except OSError as e:
        return 0, str(e)


def wait_until(condition, what, seconds=START_SECONDS):
    """The condition's first true value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Problem(f"{what}: not within {seconds} s")
        time.sleep(0.1)


class Program:
    """A process of ours with its output in a file."""

    def __init__(self, name, command, log, **environment):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("CHATFLOW_", "BROKER_PASSWORD_"))}
        self.name, self.log = name, log
        with open(log, "wb") as out:
            self.process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=subprocess.STDOUT, env=kept | environment)

    def text(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def await_line(self, pattern):
        """The first match in its output, while it lives."""
        def found():
            match = re.search(pattern, self.text(), re.M)
            if not match and self.process.poll() is not None:
                raise Problem(f"{self.name} ended with {self.process.returncode}:\n{self.text()[-3000:]}")
            return match
        try:
            return wait_until(found, f"{self.name} says {pattern}")
        except Problem as e:
            raise Problem(f"{e}\n{self.text()[-3000:]}") from e

    def end(self, patience=60):
        """Its exit status, after a request to stop."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(patience)


class Stack:
    """Used as a context: nothing stays."""

    def __init__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="chatflow-stack."))
        self.directory.chmod(0o755)  # RabbitMQ runs as a user of its own
        self.programs = []
        self.passwords = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in reversed(self.programs):
            try:
                program.end(20)
            except subprocess.TimeoutExpired:
                program.process.kill()
        if self.passwords:
            subprocess.run([RABBITMQ / "test-broker", "stop", self.directory / "broker"], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)

    def java(self, *arguments, name, log=None, **environment):
        home = os.environ.get("JAVA_HOME")
        if not home:
            raise Problem("JAVA_HOME is not set: it must name a JDK 25")
        command = [Path(home, "bin/java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *arguments]  # quick to start
        program = Program(name, command, self.directory / f"{log or name}.log", **environment)
        self.programs.append(program)
        return program

    def start_broker(self):
        """With exactly the files of infra/rabbitmq and new passwords."""
        if not Path("/usr/lib/rabbitmq/bin/rabbitmq-server").exists() and not shutil.which("rabbitmq-server"):
            raise Skipped("package rabbitmq-server is not installed")
        for jar in (WAR, CLIENT, CONSUMER):
            if not jar.exists():
                raise Problem(f"{jar.relative_to(ROOT)} is missing: ./chatflow build")
        configuration = self.directory / "configuration"
        configuration.mkdir()
        for file in ("rabbitmq.conf", "enabled_plugins"):
            shutil.copy(RABBITMQ / file, configuration)
        secret = self.directory / "passwords"
        made = subprocess.run([RABBITMQ / "definitions", "--passwords", secret], check=True, capture_output=True)
        (configuration / "definitions.json").write_bytes(made.stdout)
        self.passwords = dict(line.split("=", 1) for line in secret.read_text(encoding="utf-8").split())
        told = subprocess.run([RABBITMQ / "test-broker", "start", self.directory / "broker", configuration],
                              capture_output=True, text=True)
        if told.returncode:
            raise Problem(f"RabbitMQ does not start: {told.stderr}")
        self.where = dict(line.split("=", 1) for line in told.stdout.split())

    def uri(self, user):
        """As a program of that role is told it."""
        return self.where["amqp"].replace("amqp://", f"amqp://{user}:{self.passwords['BROKER_PASSWORD_' + user.upper()]}@")

    def observer(self, user):
        """For the load client's --broker."""
        return f"{self.uri(user)}/#{self.where['management'].rsplit(':', 1)[1]}"

    def broker(self, *arguments):
        return subprocess.run([RABBITMQ / "test-broker", "ctl", self.directory / "broker", *arguments], check=True,
                              capture_output=True, text=True).stdout

    def server(self, user="server", log="server", **settings):
        """Not awaited; await_line() tells when it is ready."""
        return self.java("-Xmx128m", "-jar", WAR, "--port", "0", "--admin-port", "0", name="server", log=log,
                         CHATFLOW_AMQP_URI=self.uri(user), CHATFLOW_SERVER_ID="server-1", **settings)

    def consumer(self, user="consumer", log="consumer"):
        return self.java("-Xmx64m", "-jar", CONSUMER, "--port", "0", "--fresh", name="consumer", log=log,
                         CHATFLOW_AMQP_URI=self.uri(user))


def admin(server):
    """URL of the admin listener of a server that has started."""
    return server.await_line(r"^  admin +(http://[^/]+)")[1]


def places(server):
    """URLs of a ready server: chat, http, admin."""
    server.await_line("^ready")
    text = server.text()
    chat = re.search(r"^  chat +(\S+)/\{room}", text, re.M)[1]
    return {"chat": chat, "http": chat.replace("ws:", "http:").removesuffix("/chat"),
            "admin": admin(server)}


def api(consumer):
    """URL of a ready consumer."""
    consumer.await_line("^ready")
    return re.search(r"^  api +(http://[^/]+)", consumer.text(), re.M)[1]

