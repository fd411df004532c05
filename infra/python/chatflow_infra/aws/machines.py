"""Gates that repeat a machine's boot in a temporary copy of this machine: the files of the rendered user data, the install
script, then the program with the unit's settings.
"""
import hashlib
import os
import shutil

from ..common import ROOT, Skipped, call, expect, need, tomcat_archive
from .boot import status, stubs
from .workshop import AWS, executable

SECRET = "sentinel-0123456789"
URI = f"amqp://server:{SECRET}@127.0.0.1:1"
UNPROVED = 77


def _built(path):
    if not os.path.isfile(path):
        raise Skipped(f"needs {os.path.basename(path)}: ./chatflow build")
    return path


def _ready():
    """Returns the directory of the JDK; raises Skipped without one."""
    for tool, package in (("unshare", "util-linux"), ("setpriv", "util-linux"), ("ip", "iproute2"), ("curl", "curl")):
        need(tool, package)
    if os.geteuid() != 0:
        raise Skipped("needs root for an overlay copy of this machine")
    works = status("unshare", "--mount", "--net", "--pid", "--fork", "true", environment=os.environ)
    if works[0] != 0:
        raise Skipped("no namespaces here: " + works[1].strip())
    if not os.environ.get("JAVA_HOME"):
        raise Skipped("JAVA_HOME is not set")
    return os.environ["JAVA_HOME"]


def _sum(file):
    with open(file, "rb") as content:
        return hashlib.sha256(content.read()).hexdigest()


def boot(workshop, machine, kind, artifacts=None, parameters="", settings=None, secret=SECRET):
    """Boots a kind of machine; returns the last output of the checks in in-copy/KIND. `artifacts` are files of the bucket by
    kind, `parameters` are branches of a shell's case that print a parameter.
    """
    java = _ready()
    folder = workshop.directory / f"machine-{kind}"
    (folder / "files/opt/artifacts").mkdir(parents=True)
    settings = dict(settings or {})
    for name, file in (artifacts or {}).items():
        shutil.copy(file, folder / "files/opt/artifacts" / name)
        settings[f"{name.upper()}_SHA256"] = _sum(file)
    for path, entry in workshop.files(machine).items():
        text = entry["content"]
        if path == "/etc/chatflow/machine.env":
            missing = settings.keys() - {line.split("=")[0] for line in text.splitlines()}
            expect(not missing, f"machine.env of {machine} lacks {missing}")
            text = "".join(f"{key}={settings.get(key, value)}\n" for key, value in (line.split("=", 1) for line in text.splitlines()))
        file = folder / "files" / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("DRAIN_DELAY=15s", "DRAIN_DELAY=0s"), encoding="utf-8")
        file.chmod(int(entry["permissions"], 8))
    fetched = "".join(f'  *s3*/{name}/*) cp /opt/artifacts/{name} "$7" ;;\n' for name in artifacts or {})
    executable(folder / "files/usr/local/bin/aws", f'#!/bin/sh\ncase "$*" in\n{fetched}{parameters}  *) exit 9 ;;\nesac\n')
    if kind == "server":  # the machine's metadata
        executable(folder / "files/usr/local/bin/curl", '#!/bin/sh\ncase "$*" in *instance-id*) echo i-0123456789abcdef0 ;; *) echo token ;; esac\n')
    executable(folder / "files/usr/local/bin/amazon-cloudwatch-agent-ctl", "#!/bin/sh\n")
    executable(folder / "files/usr/local/bin/systemctl", "#!/bin/sh\necho \"$*\" >>/systemctl.calls\n")
    code, out = status("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc",
                       AWS / "in-copy/run", folder, java, kind, environment=os.environ | {"SECRET": secret}, timeout=900)
    if code == UNPROVED:
        raise Skipped(out.strip().splitlines()[-1])
    expect(code == 0 and "all of it works" in out, f"{kind}: status {code}\n{out}")
    return out.strip().splitlines()[-2]


def server(workshop):
    """a server's files and install-server in a copy of this machine; Tomcat as the service user answers and drains"""
    archives = {"war": _built(ROOT / "server/target/chatflow.war"), "tomcat": _built(tomcat_archive())}
    return boot(workshop, "server", "server", archives, f"  *\"ssm get-parameter\"*server/amqp_uri*) echo '{URI}' ;;\n"
                f"  *\"ssm get-parameter\"*server/token_key*) echo '{SECRET}-0123456789abcdef0123456789abcdef' ;;\n", secret=URI)


def broker(workshop):
    """the broker's files and install-broker in a copy of this machine; the volume is formatted once, RabbitMQ has the
    parameters' users
    """
    need("mkfs.xfs", "xfsprogs")
    if not os.path.exists("/usr/lib/rabbitmq/bin/rabbitmq-server"):  # the program that in-copy/broker runs
        raise Skipped("package rabbitmq-server is not installed")
    passwords = "".join(f"  *\"ssm get-parameter\"*broker/{user}_password*) echo '{SECRET}-{user}' ;;\n"
                        for user in ("server", "consumer", "monitor", "admin"))
    figures = '  *put-metric-data*) echo "$*" >>/aws.calls ;;\n'
    return boot(workshop, "broker", "broker", parameters=passwords + figures, settings={"VOLUME": "vol-0123"})


def monitor(workshop):
    """the monitor's files in a copy of this machine, with the archive of upload; Prometheus has the rules, Grafana the dashboards"""
    need("prometheus", "prometheus")
    folder, environment = stubs(workshop, "monitoring", aws=f"""case "$1$2$5" in s3cp*/monitoring/*) cp "$4" '{workshop.directory}/monitoring/archive' ;; s3apihead-object*) exit 1 ;; esac""")
    environment |= {name: str(folder / "machine.env") for name in ("WAR", "CLIENT", "TOMCAT")}
    call(AWS / "upload", "--bucket", "b", "--out", folder / "noted.json", environment=environment)
    return boot(workshop, "monitor", "monitor", {"monitoring": folder / "archive"})


def client(workshop):
    """the load client's files in a copy of this machine; all users can run it"""
    return boot(workshop, "client", "client", {"client": _built(ROOT / "client/target/chatflow-client.jar")})
