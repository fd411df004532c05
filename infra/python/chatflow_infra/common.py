"""Shared helpers: paths, waiting, HTTP requests and free ports."""
import base64
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WAR = ROOT / "server/target/chatflow.war"
CLIENT = ROOT / "client/target/chatflow-client.jar"
CHAT = ROOT / "client/chat/target/chatflow-chat.jar"
CONSUMER = ROOT / "consumer-lib/target/chatflow-consumer.jar"
LAB = ROOT / "infra/lab/target/chatflow-lab.jar"
LAUNCHER = ROOT / "chatflow"


class Problem(Exception):
    """An error with its solution, in a few lines."""


class Skipped(Exception):
    """A requirement that this machine does not meet, in a few words."""


def need(tool, package=None):
    """Returns the tool's path; raises Skipped with its package if it is not installed."""
    found = shutil.which(tool)
    if not found:
        raise Skipped(f"package {package or tool} is not installed")
    return found


def rabbitmq_is_there():
    return Path("/usr/lib/rabbitmq/bin/rabbitmq-server").exists() or shutil.which("rabbitmq-server") is not None


def expect(condition, complaint):
    if not condition:
        raise Problem(complaint)


def call(*command, environment=None, directory=None, timeout=1200, skips=None):
    """Returns output and errors of a program; raises Problem with them if it fails, Skipped at the status `skips`."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, cwd=directory, env=environment, timeout=timeout, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired as e:
        raise Problem(f"{command[0]}: not finished in {timeout} s\n{(e.stdout or b'').decode(errors='replace')}") from e
    if done.returncode == skips:
        raise Skipped((done.stdout.strip().splitlines() or ["no reason given"])[-1])
    expect(done.returncode == 0, f"{' '.join(command[:2])}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def own_environment(**more):
    """Returns the caller's environment without settings for servers, clients and Tomcat."""
    kept = {k: v for k, v in os.environ.items()
            if k.startswith("CHATFLOW_TF_") or not k.startswith(("CHATFLOW_", "CATALINA_", "BROKER_PASSWORD_"))}
    return kept | {key: str(value) for key, value in more.items()}


def java():
    """Returns the java of the JDK 25 found by ./chatflow."""
    home = os.environ.get("JAVA_HOME")
    if not home:
        raise Problem("JAVA_HOME is not set: set it to a JDK 25")
    return str(Path(home) / "bin/java")


def jvm(program):
    """Returns the options with which ./chatflow starts its SERVER, CLIENT or CONSUMER."""
    return re.search(rf"^readonly {program}_JVM='(.*)'$", LAUNCHER.read_text(encoding="utf-8"), re.M)[1].split()


def tomcat_version():
    """Returns the version of the archive for stock Tomcats."""
    return re.search(r"<tomcat\.archive\.version>(.*?)<", (ROOT / "pom.xml").read_text(encoding="utf-8"))[1]


def tomcat_archive():
    """Returns the path of that archive in Maven's repository."""
    repository = os.environ.get("MAVEN_REPOSITORY", os.path.expanduser("~/.m2/repository"))
    return Path(f"{repository}/org/apache/tomcat/tomcat/{tomcat_version()}/tomcat-{tomcat_version()}.tar.gz")


def tomcat_base(base, home, war, settings):
    """Sets up a stock Tomcat in an empty or absent `base`, as in docs/how-to/run-one-server.md."""
    for directory in ("bin", "conf", "logs", "temp", "webapps", "work"):
        (base / directory).mkdir(parents=True)
    for name in ("web.xml", "context.xml", "catalina.properties", "logging.properties"):
        shutil.copy(home / "conf" / name, base / "conf")
    shutil.copy(ROOT / "infra/tomcat/server.xml", base / "conf")
    shutil.copy(ROOT / "infra/tomcat/setenv.sh", base / "bin")
    shutil.copy(war, base / "webapps/ROOT.war")
    environment = base / "conf/chatflow.env"
    environment.touch(mode=0o600)  # contains a password
    environment.write_text("".join(f"{key}={value}\n" for key, value in settings.items()), encoding="utf-8")


def get(url, method="GET", body=None, user=None, timeout=10):
    """Returns (status, text) of an HTTP request; status 0 and the reason without an answer."""
    request = urllib.request.Request(url, method=method, data=body)
    if body:
        request.add_header("Content-Type", "application/json")
    if user:
        request.add_header("Authorization", "Basic " + base64.b64encode(user.encode()).decode())
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read().decode(errors="replace")
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode(errors="replace")
    except OSError as e:
        return 0, str(e)


def fetch(url, **how):
    """Returns the text of a 200 answer; raises Problem with any other."""
    status, text = get(url, **how)
    expect(status == 200, f"{url}: {status or 'no answer'} {text[:300]}")
    return text


def free_port():
    """Returns a free loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def counted(number, word):
    """Returns number and word: 1 server, 2 servers."""
    return f"{number} {word}{'s' if number != 1 else ''}"


def wait_until(condition, what, seconds=120):
    """Returns the condition's first true value. The bound limits a hang; it does not judge speed."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Problem(f"{what}: did not happen within {seconds} s")
        time.sleep(0.1)
