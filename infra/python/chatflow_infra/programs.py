"""Starts the programs as separate processes on free loopback ports; a Site ends all that it started."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from . import proc
from .common import (CLIENT, CONSUMER, ROOT, WAR, Problem, Skipped, call, expect, fetch, free_port, get, java, need,
                     own_environment, rabbitmq_is_there, tomcat_base, tomcat_version, wait_until)

RABBITMQ = ROOT / "infra/rabbitmq"
#: Starts fast, for checks that judge output and not speed.
SHORT_LIVED = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
#: Exit status of a load client with correct deliveries that was itself the bottleneck.
SATURATED = 6


class Program:
    """A process with its output in a file."""

    def __init__(self, name, command, log, environment=None):
        self.name, self.log = name, Path(log)
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=subprocess.STDOUT, env=environment or own_environment())
        self.pid = self.process.pid

    def text(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def await_line(self, pattern, seconds=120):
        """Waits for the first match in complete lines of its output while it runs."""
        def found():
            ended = self.process.poll()
            match = re.search(pattern, self.text().rpartition("\n")[0], re.M)
            if not match and ended is not None:
                raise Problem(f"{self.name} ended with {ended}:\n{self.text()[-3000:]}")
            return match
        try:
            return wait_until(found, f"{self.name} prints {pattern}", seconds)
        except Problem as e:
            raise Problem(f"{e}\n{self.text()[-3000:]}") from e

    def wait(self, seconds=300):
        """Waits for its own end and returns the exit status."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired as e:
            raise Problem(f"{self.name} still runs after {seconds} s:\n{self.text()[-3000:]}") from e

    def end(self, seconds=120):
        """Requests a stop and returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.wait(seconds)

    def stop(self):
        """Ends it, if necessary by force, and returns the exit status."""
        with contextlib.suppress(Problem):
            self.end()
        if self.process.poll() is None:
            self.process.kill()
        return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        status = self.stop()
        if status:
            print(f"the {self.name} ended with {status}", file=sys.stderr, flush=True)


class Server(Program):
    """The packaged server, with the embedded broker in its JVM unless another is named. Ready after creation, unless told not to wait."""

    def __init__(self, log, options=(), memory=("-Xmx384m",), program=("-jar", WAR), broker=None, is_awaited=True, **settings):
        if broker:
            settings["CHATFLOW_AMQP_URI"] = broker
        super().__init__("server", [java(), *memory, *program, "--port", "0", "--admin-port", "0", *options], log,
                         own_environment(**settings))
        if is_awaited:
            try:
                self.await_line("^ready")
            except Problem:
                self.stop()
                raise

    def urls(self, label):
        """Returns an address of every server in this launcher, in order."""
        return re.findall(rf"^(?:\[[^\]]*\])? *{label} +(\S+)", self.text(), re.M)

    @property
    def chats(self):
        return [url.removesuffix("/{room}") for url in self.urls("chat")]

    @property
    def chat(self):
        return self.chats[0]

    @property
    def http(self):
        return self.chat.replace("ws", "http", 1).removesuffix("/chat")

    @property
    def admin(self):
        return re.match("http://[^/]+", self.urls("admin")[0])[0]

    @property
    def pids(self):
        """Returns the processes of all servers in this launcher; the launcher itself is the first."""
        return [self.pid, *proc.children(self.pid)]

    def await_reason(self, words):
        """Waits until /ready fails with these words in its reason: a busy machine may show others before."""
        def refuses():
            status, reason = get(self.admin + "/ready")
            return status == 503 and words in reason
        try:
            wait_until(refuses, f"/ready fails because of {words}")
        except Problem as e:
            raise Problem(f"{e}; it returns {get(self.admin + '/ready')}") from e

    def metrics(self):
        """Returns the meters of all servers together."""
        summed = {}
        for page in self.urls("admin"):
            for name, value in parsed(fetch(re.match("http://[^/]+", page)[0] + "/metrics")).items():
                summed[name] = summed.get(name, 0) + value
        return summed


class StockTomcat(Program):
    """Tomcat from its archive with the packaged WAR, set up in `base` as in docs/how-to/run-one-server.md. Ready after creation."""

    def __init__(self, base, broker, port=None, **settings):
        home, port = ROOT / f"server/target/apache-tomcat-{tomcat_version()}", port or free_port()
        expect(home.is_dir(), f"{home.name} is not unpacked: run ./chatflow build")
        tomcat_base(base, home, WAR, dict(
            settings, CHATFLOW_PORT=port, CHATFLOW_ADMIN_PORT=0, CHATFLOW_SERVER_ID="stock", CHATFLOW_AMQP_URI=broker))
        self.chat = f"ws://127.0.0.1:{port}/chat"
        # The script is replaced by the JVM in the same process.
        super().__init__("stock Tomcat", [home / "bin/catalina.sh", "run"], base / "logs/catalina.out",
                         own_environment(CATALINA_HOME=home, CATALINA_BASE=base))
        try:
            wait_until(lambda: self.process.poll() is not None or get(f"http://127.0.0.1:{port}/ready")[0] == 200, "Tomcat is ready")
            expect(self.process.poll() is None, f"Tomcat did not start:\n{self.text()[-3000:]}")
        except Problem:
            self.stop()
            raise


class Consumer(Program):
    """The packaged standalone consumer; `api` waits until it is ready."""

    def __init__(self, log, broker, store="memory", options=("-Xmx160m", *SHORT_LIVED), **settings):
        super().__init__("consumer", [java(), *options, "-jar", CONSUMER, "--port", "0", "--fresh"], log,
                         own_environment(CHATFLOW_AMQP_URI=broker, CHATFLOW_CONSUMER_STORE=store, **settings))

    @property
    def api(self):
        self.await_line("^ready")
        return re.search(r"^ *api +(https?://[^/]+)", self.text(), re.M)[1]


class Load(Program):
    """A run of the load client, which checks every delivery; its result is the client's JSON."""

    def __init__(self, directory, urls, *options, memory=("-Xmx512m", "-XX:+UseSerialGC"), program=()):
        handle, name = tempfile.mkstemp(prefix="load-", suffix=".json", dir=directory)
        self.file = Path(name)
        command = [*(program or [java(), *memory, "-jar", CLIENT]), "run", "--format", "json", "--quiet",
                   *([] if {"-o", "--out"} & set(map(str, options)) else ["-o", "none"]), *options, *urls]
        self.name, self.log = "load client", self.file.with_suffix(".log")
        with os.fdopen(handle, "wb") as out, open(self.log, "wb") as errors:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=errors, env=own_environment())
        self.pid = self.process.pid

    def result(self, seconds=600):
        """Waits for its end and returns the result; raises Problem without one."""
        status = self.wait(seconds)
        try:
            return json.loads(self.file.read_text(encoding="utf-8"))
        except ValueError as e:
            raise Problem(f"the load client ended with {status}:\n{self.text()[-3000:]}") from e

    def proved(self, seconds=600):
        """Returns the result of a run with only correct deliveries, on a fast or a slow machine."""
        result = self.result(seconds)
        verdict = result["verdict"]
        expect(verdict["exitCode"] in (0, SATURATED), f"{verdict['headline']}\n{json.dumps(verdict, indent=1)}\n{self.text()[-2000:]}")
        return result


class Broker:
    """A RabbitMQ node, removed at the end with its data. With the files of infra/rabbitmq it has exactly their users and
    rights, with new passwords; else only guest. With a certificate of `Authority` it also accepts TLS on a second port.
    """

    def __init__(self, with_files=False, certificate=None):
        if not rabbitmq_is_there():
            raise Skipped("package rabbitmq-server is not installed")
        self.directory = Path(tempfile.mkdtemp(prefix="chatflow-broker-"))
        self.directory.chmod(0o755)  # RabbitMQ runs as another user
        self.passwords, self.certificate, self.tls_port = {"guest": "guest"}, certificate, free_port()
        try:
            told = self._script("start", *([self._files()] if with_files or certificate else []))
        except Problem:
            self.stop()
            raise
        where = dict(line.split("=", 1) for line in told.split())
        self.amqp, self.management = (re.sub("//.*@", "//", where[name]) for name in ("amqp", "management"))
        self.metrics = where.get("metrics")
        self.pid = _beam_of(int((self.node / "node.started").read_text()))

    @property
    def pids(self):
        """Returns the environment of its node."""
        return {"broker": self.pid}

    @property
    def node(self):
        return self.directory / "node"

    def _script(self, verb, *arguments):
        return call(RABBITMQ / "test-broker", verb, self.node, *arguments, timeout=600)

    def _files(self):
        configuration = self.directory / "configuration"
        configuration.mkdir()
        for file in ("rabbitmq.conf", "enabled_plugins"):
            shutil.copy(RABBITMQ / file, configuration)
        if self.certificate:
            with open(configuration / "rabbitmq.conf", "a", encoding="utf-8") as out:
                print(f"listeners.ssl.1 = 127.0.0.1:{self.tls_port}", f"ssl_options.cacertfile = {self.certificate.authority}",
                      f"ssl_options.certfile = {self.certificate.file}", f"ssl_options.keyfile = {self.certificate.key}", sep="\n", file=out)
        secret = self.directory / "passwords"
        made = subprocess.run([RABBITMQ / "definitions", "--passwords", secret], check=True, capture_output=True)
        (configuration / "definitions.json").write_bytes(made.stdout)
        lines = dict(line.split("=", 1) for line in secret.read_text(encoding="utf-8").split())
        self.passwords = {name.removeprefix("BROKER_PASSWORD_").lower(): password for name, password in lines.items()}
        return configuration

    def uri(self, user="guest"):
        """Returns the address for a program of this user."""
        return self.amqp.replace("//", f"//{user}:{self.passwords[user]}@")

    def secure_uri(self, user):
        """Returns the TLS address with the name in its certificate."""
        return f"amqps://{user}:{self.passwords[user]}@localhost:{self.tls_port}"

    def observer(self, user="guest"):
        """Returns the address for the load client's --broker."""
        return f"{self.uri(user)}/#{self.management.rsplit(':', 1)[1]}"

    def ask(self, path):
        """Returns an answer of the management API, as guest."""
        return json.loads(fetch(f"{self.management}/api/{path}", user="guest:guest"))

    @property
    def version(self):
        return self.ask("overview")["rabbitmq_version"]

    def kill_and_start(self):
        """Kills the node with SIGKILL and starts it again with its data."""
        self._script("kill")
        self._script("start")

    def stop(self):
        subprocess.run([RABBITMQ / "test-broker", "stop", self.node], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)


#: Status of test-cluster if RabbitMQ 4 or separate networks are unavailable.
NOT_TO_BE_HAD = 4


def install_cluster():
    """Installs the requirements of a RabbitMQ cluster, once for all runs; raises Skipped if that is impossible."""
    done = subprocess.run([RABBITMQ / "test-cluster", "install"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=1800, check=False)
    if done.returncode == NOT_TO_BE_HAD:
        raise Skipped(done.stdout.strip().splitlines()[-1].removeprefix("test-cluster: "))
    expect(done.returncode == 0, done.stdout)


class Certificate:
    """The PEM files of a certificate: its authority, itself, its key."""

    def __init__(self, authority, file, key):
        self.authority, self.file, self.key = authority, file, key


class Authority:
    """Creates certificates for localhost in a directory; they are useless elsewhere."""

    def __init__(self, directory):
        self.directory, self.file = directory, directory / "ca.pem"
        directory.mkdir()
        self._openssl("req", "-x509", *self._new("ca.key"), "-subj", "/CN=ChatFlow trial", "-days", "2", "-out", self.file)

    def _openssl(self, *arguments):
        call(need("openssl"), *arguments)

    def _new(self, key):
        return "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.directory / key

    def certificate(self, name):
        request, names, file = (self.directory / f"{name}{end}" for end in (".csr", ".names", ".pem"))
        self._openssl("req", "-new", *self._new(f"{name}.key"), "-subj", "/CN=localhost", "-out", request)
        names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n", encoding="utf-8")
        self._openssl("x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.directory / "ca.key", "-CAcreateserial", "-days", "2",
                      "-extfile", names, "-out", file)
        (self.directory / f"{name}.key").chmod(0o644)  # RabbitMQ runs as another user
        return Certificate(self.file, file, self.directory / f"{name}.key")


def postgres_programs():
    """Returns the directory of the newest PostgreSQL's programs, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Postgres:
    """A PostgreSQL on a free loopback port, removed at the end with its data."""

    def __init__(self):
        self.programs = postgres_programs()
        if not self.programs:
            raise Skipped("package postgresql is not installed")
        self.directory = Path(tempfile.mkdtemp(prefix="chatflow-postgres-"))
        self.directory.chmod(0o777)  # as root it runs as another user
        self.data, self.port = self.directory / "data", free_port()
        try:
            self._run("initdb", "-D", self.data, "-A", "trust", "-U", "chat")
            self.start()
        except Problem:
            self.stop()
            raise

    def _run(self, program, *arguments):
        as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
        return call(*as_user, self.programs / program, *arguments, directory=self.directory, timeout=300)

    def start(self):
        """Starts it, also after `kill`, and waits until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.directory}"
        def starts():
            """Waits for the shared memory of a killed one to be released."""
            try:
                self._run("pg_ctl", "-D", self.data, "-o", options, "-l", self.directory / "log", "-w", "start")
                return True
            except Problem:
                return False
        wait_until(starts, "PostgreSQL starts")

    def sql(self, text):
        """Returns psql's output."""
        return self._run("psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "chat", "-d", "postgres", "-c", text)

    def kill(self):
        """Kills its parent process with SIGKILL, as in a crash; the others notice."""
        os.kill(self.pid, signal.SIGKILL)

    @property
    def pid(self):
        """Returns the id of its parent process."""
        return int((self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    @property
    def url(self):
        return f"jdbc:postgresql://127.0.0.1:{self.port}/postgres?user=chat"

    def stop(self):
        with contextlib.suppress(Problem):
            self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.directory, ignore_errors=True)


def _beam_of(pid):
    """Returns the Erlang VM of a start script."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)
        except OSError:
            continue
        if "beam" in fields[0] and (int(fields[1].split()[1]) == pid or stat.parent.name == str(pid)):
            return int(stat.parent.name)
    return pid


class Site(contextlib.ExitStack):
    """A directory and everything started in it, removed at the end."""

    def __init__(self):
        super().__init__()
        self.directory = Path(tempfile.mkdtemp(prefix="chatflow-site-"))
        self.directory.chmod(0o755)
        self.callback(shutil.rmtree, self.directory, ignore_errors=True)

    def keep(self, started):
        """Registers it for the stop at the end."""
        self.callback(started.stop)
        return started

    def _log(self, name):
        handle, file = tempfile.mkstemp(prefix=name + "-", suffix=".log", dir=self.directory)
        os.close(handle)
        return Path(file)

    def start(self, name, *command, **environment):
        return self.keep(Program(name, command, self._log(name), own_environment(**environment)))

    def java(self, name, *arguments, **environment):
        return self.start(name, java(), *SHORT_LIVED, *arguments, **environment)

    def server(self, *options, **how):
        return self.keep(Server(self._log("server"), options, **how))

    def tomcat(self, broker, **settings):
        return self.keep(StockTomcat(Path(tempfile.mkdtemp(prefix="tomcat-", dir=self.directory)) / "base", broker, **settings))

    def consumer(self, broker, store="memory", **how):
        return self.keep(Consumer(self._log("consumer"), broker, store, **how))

    def postgres(self):
        return self.keep(Postgres())

    def load(self, urls, *options, **how):
        return self.keep(Load(self.directory, urls, *options, **how))

    def broker(self, **how):
        return self.keep(Broker(**how))


def parsed(page):
    """Returns name with labels -> value of a metrics page."""
    values = {}
    for line in page.splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            values[name] = float(value)
    return values


def total(metrics, name, having=""):
    return sum(v for k, v in metrics.items() if k.split("{")[0] == name and having in k)
