"""A cluster on this machine: stock Tomcats, RabbitMQ and a balancer, all on loopback.

Usage: ./chatflow cluster start N [--balancer haproxy|nginx|none] [--affinity shard|none] [--cpu 0.2] [--memory 512M]
                                  [--broker URI | --brokers 3] [--port 18080] [--set KEY=VALUE]...
       ./chatflow cluster status | urls | drain K | restart K | kill K | stop
       ./chatflow cluster balance haproxy|nginx|none [--affinity shard|none]

start     N servers (1 to 8), each with a separate base of one unpacked Tomcat; prints their URLs
status    a line for each part: state, connections, rooms, CPU seconds, share of throttled periods
urls      the servers' chat URLs, for the load client; with --balancer the balancer's
drain K   drains server K: its clients reconnect to another server; it then answers 503
restart K drains and stops server K, starts it again, and waits until the balancer uses it
kill K    kills it
balance   replaces the balancer on the same port, with the same servers; drops its connections
stop      drains and stops everything; keeps the logs

--balancer  from the packages haproxy or nginx, with infra/local/haproxy.cfg or nginx.conf (default none)
--affinity  shard: a room's members meet on one server (HAProxy by shard, nginx by room); none: round robin
--cpu       cores for each server, such as 0.2, by cgroups; without it servers have no limit
--memory    bytes for each server, such as 512M, by cgroups
--broker    an AMQP URI; without it a separate RabbitMQ node (package rabbitmq-server)
--brokers   3: a cluster of three RabbitMQ nodes, as root on Debian; installs RabbitMQ 4 on first use
--port      of the balancer; its statistics are at +10, server K at +K, its admin listener at +100+K
--set       a key of docs/reference/configuration.md for every server

Everything is in target/cluster: logs/, one base for each server, state.json. --directory sets another directory.
Needs JDK 25 (JAVA_HOME), python3, Maven for the Tomcat archive, Linux.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from . import quota
from .common import ROOT, WAR, Problem, call, get, listens, own_environment, tomcat_base, tomcat_version, wait_until
from .proc import command_line, cpu_seconds, runs

#: The shards of every server, by which the balancer's file distributes rooms.
SHARDS = int(re.search(r"crc32,mod\((\d+)\)", (ROOT / "infra/local/haproxy.cfg").read_text())[1])
MAX_SERVERS = 8
START_SECONDS, STOP_SECONDS = 300, 180
# With a quota the JVM would see one core, and choose collector and threads by that.
JVM = "-XX:ActiveProcessorCount=2 -XX:+UseSerialGC"


def replaced_lines(template, blocks):
    """Returns the template with the n-th block between "# servers:" and "# end" replaced by the n-th list of lines."""
    blocks = iter(blocks)
    return re.sub(r"( *)# servers:\n.*?\1# end\n", lambda found: "".join(f"{found[1]}{line}\n" for line in next(blocks)),
                  template, flags=re.S)


def haproxy_config(template, port, servers, affinity):
    """Returns HAProxy's configuration. servers: (number, port). Shard s belongs to server s modulo their number."""
    names = [f"server-{number}" for number, _ in servers]
    uses = [f"use-server {names[shard % len(names)]} if {{ var(txn.shard) -m int {shard} }}" for shard in range(SHARDS)]
    addresses = [f"server server-{number} 127.0.0.1:{at}" for number, at in servers]
    text = replaced_lines(template, [uses + addresses, [f"{a} track by-shard/{n}" for a, n in zip(addresses, names)], addresses])
    for usual, ours in ((18080, port), (18090, port + 10), (18100, port + 20)):
        text = text.replace(f"127.0.0.1:{usual} ", f"127.0.0.1:{ours} ").replace(f"127.0.0.1:{usual}\n", f"127.0.0.1:{ours}\n")
    return text if affinity == "shard" else text.replace("default_backend by-shard", "default_backend round-robin")


def nginx_config(template, port, servers, affinity):
    addresses = [f"server 127.0.0.1:{at} max_fails=0;" for _, at in servers]
    text = replaced_lines(template, [addresses, addresses]).replace("127.0.0.1:18080;", f"127.0.0.1:{port};")
    return text if affinity == "shard" else text.replace("proxy_pass http://by-room", "proxy_pass http://round-robin")


def without_password(uri):
    return re.sub("//.*@", "//", uri)


def user_of(uri):
    found = re.search("//([^:@/]*)[^/]*@", uri)
    return found[1] if found else "none"


def bytes_of(text):
    found = re.fullmatch(r"(\d+)([KMG]?)", text)
    if not found:
        raise argparse.ArgumentTypeError("a number with K, M or G, such as 512M")
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2]]


class Cluster:
    """The running cluster, in state.json because each verb is a separate process."""

    def __init__(self, directory):
        self.directory = directory
        self.file = directory / "state.json"
        self.state = json.loads(self.file.read_text()) if self.file.exists() else None

    def save(self):
        self.file.write_text(json.dumps(self.state, indent=1))

    def running(self):
        if not self.state:
            raise Problem("no cluster runs: ./chatflow cluster start N")
        return self.state

    # --- servers

    def base(self, number):
        return self.directory / f"server-{number}"

    def port(self, number):
        return self.state["port"] + number

    def admin(self, number):
        return f"http://127.0.0.1:{self.state['port'] + 100 + number}"

    def recorded(self, number):
        """Returns the process id that catalina.sh wrote, or 0."""
        try:
            return int((self.base(number) / "temp/tomcat.pid").read_text())
        except (OSError, ValueError):
            return 0

    def pid(self, number):
        """Returns the server's process id, or None if it has ended, also if another process has its id."""
        pid = self.recorded(number)
        return pid if f"-Dcatalina.base={self.base(number)}\0" in command_line(pid) else None

    def is_gone(self, number):
        pid = self.recorded(number)
        return self.pid(number) is None and not (runs(pid) and not command_line(pid))

    def numbers(self):
        return range(1, self.state["servers"] + 1)

    def check(self, number):
        if number not in self.numbers():
            raise Problem(f"no server {number}; available: 1 to {self.state['servers']}")

    def prepare_base(self, number):
        settings = {
            "CHATFLOW_SERVER_ID": f"server-{number}", "CHATFLOW_PORT": self.port(number),
            "CHATFLOW_ADMIN_PORT": self.state["port"] + 100 + number, "CHATFLOW_AMQP_URI": self.state["broker"],
            "CHATFLOW_SHARDS": SHARDS}
        if self.state["balancer"] != "none":
            settings |= {"CHATFLOW_TRUSTED_PROXIES": "127.0.0.1", "CHATFLOW_DRAIN_DELAY": "4s"}
        settings |= dict(pair.split("=", 1) for pair in self.state["set"])
        shutil.rmtree(self.base(number), ignore_errors=True)
        tomcat_base(self.base(number), Path(self.state["home"]), self.directory / "chatflow.war", settings)

    def launch(self, number):
        directories = self.state["groups"].get(str(number), [])

        def enter():
            for directory in directories:
                Path(directory, "cgroup.procs").write_text(str(os.getpid()))

        subprocess.run(
            [f"{self.state['home']}/bin/catalina.sh", "start"], check=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, preexec_fn=enter, start_new_session=True,
            env=own_environment(CATALINA_HOME=self.state["home"], CATALINA_BASE=str(self.base(number)), CATALINA_OPTS=JVM,
                                CATALINA_OUT=str(self.directory / f"logs/server-{number}.log")))
        # Before it becomes a JVM, it is a shell that no verb recognises.
        wait_until(lambda: self.pid(number) or not runs(self.recorded(number)), f"start of server {number}")

    def await_ready(self, number):
        def ready():
            if self.pid(number) is None:
                log = (self.directory / f"logs/server-{number}.log").read_text().strip().splitlines()
                raise Problem(f"server {number} ended: {log[-1] if log else 'no log'}")
            return get(self.admin(number) + "/ready")[0] == 200

        wait_until(ready, f"ready of server {number}", START_SECONDS)

    def end(self, number, how=signal.SIGTERM):
        """Signals the process; returns its id, or None without one."""
        pid = self.pid(number)
        if pid:
            os.kill(pid, how)
        return pid

    def await_end(self, number):
        try:
            wait_until(lambda: self.is_gone(number), f"end of server {number}", STOP_SECONDS)
        except Problem as e:
            print(f"cluster: {e}: killed", file=sys.stderr)
            self.end(number, signal.SIGKILL)
            wait_until(lambda: self.is_gone(number), f"end of server {number}")
        (self.base(number) / "temp/tomcat.pid").unlink(missing_ok=True)  # otherwise a start may mistake a zombie for it

    # --- verbs

    def start(self, options):
        if self.state:
            raise Problem(f"a cluster of {self.state['servers']} already runs in {self.directory}: ./chatflow cluster stop")
        if not WAR.exists():
            raise Problem("nothing is built: ./chatflow build")
        if options.balancer != "none" and not shutil.which(options.balancer):
            raise Problem(f"{options.balancer} is not installed (package {options.balancer})")
        ports = [options.port + n for n in (0, 10, *(k + m for k in range(1, options.servers + 1) for m in (0, 100)))]
        taken = [port for port in ports if listens(port)]
        if taken:
            raise Problem(f"port {taken[0]} is in use; choose another range with --port")
        shutil.rmtree(self.directory / "logs", ignore_errors=True)
        (self.directory / "logs").mkdir(parents=True)
        shutil.copy(WAR, self.directory / "chatflow.war")  # a build in between must not change running servers
        self.state = dict(
            servers=options.servers, balancer=options.balancer, affinity=options.affinity, port=options.port, set=options.set,
            home=str(self.tomcat()), broker=options.broker, brokers=options.brokers, node=None, management=None, groups={}, balancer_pid=None)
        self.save()
        try:
            self.limit(options.cpu, options.memory)
            self.start_broker()
            for number in self.numbers():
                self.prepare_base(number)
                self.launch(number)
            for number in self.numbers():
                self.await_ready(number)
            self.start_balancer()
        except BaseException:
            self.stop()
            raise
        self.tell()

    def tomcat(self):
        """Unpacks the archive of the version in pom.xml once; Maven downloads it."""
        version = tomcat_version()
        home = self.directory / f"apache-tomcat-{version}"
        if not (home / "bin/catalina.sh").exists():
            copy = ["mvn", "-B", "-q", "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy",
                    f"-Dartifact=org.apache.tomcat:tomcat:{version}:tar.gz", f"-DoutputDirectory={self.directory}"]
            archive = self.directory / f"tomcat-{version}.tar.gz"
            for how in (["-o"], []):
                said = subprocess.run([*copy, *how], cwd=self.directory, capture_output=True, text=True, check=False)
                if archive.exists():
                    break
            else:
                raise Problem(f"Maven has no Tomcat {version}: {said.stdout.strip().splitlines()[-1:]}")
            subprocess.run(["tar", "xzf", str(archive), "-C", str(self.directory)], check=True)
            archive.unlink()
        return home

    def limit(self, cpu, memory):
        if memory and not cpu:
            raise Problem("--memory needs --cpu")
        for number in self.numbers() if cpu else ():
            name = f"chatflow-{self.state['port']}-{number}"
            self.state["groups"][str(number)] = [str(d) for d in quota.Quota(name, cpu, memory).directories]
            self.save()

    def start_broker(self):
        if self.state["broker"]:
            return
        # RabbitMQ runs as another user, without access to this home directory.
        self.state["node"] = tempfile.mkdtemp(prefix="chatflow-cluster-")
        os.chmod(self.state["node"], 0o755)
        self.save()
        several = ["--nodes", self.state["brokers"]] if self.state["brokers"] > 1 else []
        said = call(ROOT / "infra/rabbitmq/test-broker", "start", self.state["node"], *several, timeout=1200)
        where = dict(line.split("=", 1) for line in said.split() if "=" in line)
        self.state |= {"broker": where["amqp"], "management": where["management"]}
        for log in self.broker_logs():
            (self.directory / f"logs/{log.parent.name if several else 'rabbitmq'}").symlink_to(log)
        self.save()

    def broker_logs(self):
        """Returns the logs of its nodes."""
        node = Path(self.state["node"])
        return [node / f"node-{n + 1}/log" for n in range(self.state["brokers"])] if self.state["brokers"] > 1 else [node / "log"]

    def stop_broker(self):
        for log in self.broker_logs():
            if log.exists():
                name = "rabbitmq" if log.parent == Path(self.state["node"]) else log.parent.name
                shutil.copytree(log, self.directory / f"logs/{name}-log", dirs_exist_ok=True)
                (self.directory / f"logs/{name}").unlink(missing_ok=True)
        for verb in ("stop", "remove") if self.state["brokers"] > 1 else ("stop",):
            subprocess.run([ROOT / "infra/rabbitmq/test-broker", verb, self.state["node"]], check=True)
        shutil.rmtree(self.state["node"])

    def start_balancer(self):
        which, port = self.state["balancer"], self.state["port"]
        if which == "none":
            return
        servers = [(number, self.port(number)) for number in self.numbers()]
        place = self.directory / which
        shutil.rmtree(place, ignore_errors=True)
        (place / "temp").mkdir(parents=True)
        (place / "logs").symlink_to(self.directory / "logs")
        if which == "haproxy":
            file = place / "haproxy.cfg"
            file.write_text(haproxy_config((ROOT / "infra/local/haproxy.cfg").read_text(), port, servers, self.state["affinity"]))
            command = ["haproxy", "-db", "-f", str(file)]
        else:
            file = place / "nginx.conf"
            file.write_text(nginx_config((ROOT / "infra/local/nginx.conf").read_text(), port, servers, self.state["affinity"]))
            command = ["nginx", "-p", str(place), "-c", str(file), "-e", str(self.directory / "logs/nginx.log"), "-g", "daemon off;"]
        with open(self.directory / f"logs/{which}.log", "ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.state["balancer_pid"] = process.pid
        self.save()

        def up():
            if process.poll() is not None:
                raise Problem(f"{which} ended: see {self.directory}/logs/{which}.log")
            return get(f"http://127.0.0.1:{port}/health")[0] == 200

        wait_until(up, f"first answer of {which}")

    def tell(self):
        print(f"{self.state['servers']} servers, logs in {self.directory}/logs")
        self.status()
        target = f"ws://127.0.0.1:{self.state['port']}/chat" if self.state["balancer"] != "none" else " ".join(self.urls())
        print(f"load them:  ./chatflow load --rooms 20 --room-size 10 --messages 50 {target}")

    def urls(self):
        return [f"ws://127.0.0.1:{self.port(number)}/chat" for number in self.numbers()]

    def way(self):
        if self.state["affinity"] == "none":
            return "round robin"
        return "by shard" if self.state["balancer"] == "haproxy" else "by room"

    def status(self):
        state = self.running()
        rows = [("part", "where", "pid", "state", "connections", "rooms", "CPU s", "throttled")]
        for number in self.numbers():
            pid = self.pid(number)
            _, body = get(self.admin(number) + "/health") if pid else (0, "")
            health = json.loads(body) if body else {}
            periods, held = quota.throttled(state["groups"].get(str(number), []))
            rows.append((f"server-{number}", self.urls()[number - 1], pid or "-", health.get("status", "DOWN"),
                         health.get("connections", "-"), health.get("rooms", "-"),
                         f"{cpu_seconds(pid):.1f}" if pid else "-", f"{100 * held / periods:.0f} %" if periods else "-"))
        if state["balancer"] != "none":
            pid = self.balancer_pid()
            rows.append((state["balancer"], f"ws://127.0.0.1:{state['port']}/chat", pid or "-", "UP" if pid else "DOWN", "-",
                         self.way(), f"{cpu_seconds(pid):.1f}" if pid else "-", "-"))
        rows.append(("broker", without_password(state["broker"] or ""), "-", "own" if state["node"] else "given", "-", "-", "-", "-"))
        widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())
        if state["management"]:
            print(f"the broker's pages:  {without_password(state['management'])}/  user {user_of(state['management'])}")

    def drain(self, number):
        self.check(number)
        status, body = get(self.admin(number) + "/drain", "POST", timeout=STOP_SECONDS)
        if not status:
            raise Problem(f"server {number} does not answer")
        print(body)

    def restart(self, number):
        self.check(number)
        self.end(number)
        self.await_end(number)
        self.launch(number)
        self.await_ready(number)
        self.await_balanced(number)
        print(f"server {number} is ready")

    def kill(self, number):
        self.check(number)
        if not self.end(number, signal.SIGKILL):
            raise Problem(f"server {number} does not run")
        self.await_end(number)
        print(f"server {number} killed")

    def balancer_pid(self):
        pid = self.state["balancer_pid"]
        return pid if pid and str(self.directory / self.state["balancer"]) in command_line(pid) else None

    def await_balanced(self, number):
        """Waits until the balancer uses the server again: a rolling restart must not restart the next one before."""
        if self.state["balancer"] == "haproxy":
            page = f"http://127.0.0.1:{self.state['port'] + 10}/;csv"
            wait_until(lambda: re.search(rf"^by-shard,server-{number},.*,UP,", get(page)[1], re.M),
                       f"server {number} being up for haproxy", START_SECONDS)

    def balance(self, which, affinity):
        if which != "none" and not shutil.which(which):
            raise Problem(f"{which} is not installed (package {which})")
        self.stop_balancer()
        self.state |= {"balancer": which, "affinity": affinity, "balancer_pid": None}
        self.save()
        self.start_balancer()

    def stop_balancer(self):
        pid = self.balancer_pid()
        if pid:
            os.kill(pid, signal.SIGTERM)
            wait_until(lambda: not runs(pid), "end of the balancer")

    def stop(self):
        state = self.running()
        for number in self.numbers():
            self.end(number)
        for number in self.numbers():
            self.await_end(number)
        self.stop_balancer()
        if state["node"]:
            self.stop_broker()
        for directories in state["groups"].values():
            quota.remove(directories)
        self.file.unlink()
        self.state = None
        print("stopped")


def arguments(given):
    parser = argparse.ArgumentParser(prog="./chatflow cluster", usage=argparse.SUPPRESS, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directory", type=Path, default=ROOT / "target/cluster", help=argparse.SUPPRESS)
    verbs = parser.add_subparsers(dest="verb", required=True)
    start = verbs.add_parser("start")
    start.add_argument("servers", type=int, choices=range(1, MAX_SERVERS + 1))
    start.add_argument("--balancer", choices=["haproxy", "nginx", "none"], default="none")
    start.add_argument("--affinity", choices=["shard", "none"], default="shard")
    start.add_argument("--cpu", type=float)
    start.add_argument("--memory", type=bytes_of)
    whose = start.add_mutually_exclusive_group()
    whose.add_argument("--broker")
    whose.add_argument("--brokers", type=int, choices=[1, 3], default=1)
    start.add_argument("--port", type=int, default=18080)
    start.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    urls = verbs.add_parser("urls")
    urls.add_argument("--balancer", action="store_true")
    balance = verbs.add_parser("balance")
    balance.add_argument("balancer", choices=["haproxy", "nginx", "none"])
    balance.add_argument("--affinity", choices=["shard", "none"], default="shard")
    for verb in ("drain", "restart", "kill"):
        verbs.add_parser(verb).add_argument("number", type=int)
    for verb in ("status", "stop"):
        verbs.add_parser(verb)
    return parser.parse_args(given)


def main(given):
    if given[:1] == ["--parse-only"]:
        arguments(given[1:])
        return 0
    options = arguments(given)
    cluster = Cluster(options.directory.resolve())
    try:
        if options.verb == "start":
            cluster.start(options)
            return 0
        state = cluster.running()
        if options.verb == "urls":
            print(f"ws://127.0.0.1:{state['port']}/chat" if options.balancer else "\n".join(cluster.urls()))
        elif options.verb in ("drain", "restart", "kill"):
            getattr(cluster, options.verb)(options.number)
        elif options.verb == "balance":
            cluster.balance(options.balancer, options.affinity)
            cluster.status()
        else:
            getattr(cluster, options.verb)()
        return 0
    except (Problem, quota.QuotaError) as e:
        return f"cluster: {e}"
