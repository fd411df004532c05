"""Gates that run the machines' scripts with stubs and a fake metadata service."""
import hashlib
import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ..common import expect, need
from .workshop import AWS, executable

MACHINE = "NAME=chatflow\nREGION=us-east-1\nBUCKET=chatflow-artifacts\nGROUP=chatflow-server\nHOOK=chatflow-drain\nBROKER_HOST=10.42.128.10\n"


def stubs(workshop, name, **programs):
    """Creates a directory of programs that record their calls in `calls`, and an environment that prefers them."""
    folder = workshop.directory / name
    folder.mkdir()
    (folder / "machine.env").write_text(MACHINE, encoding="utf-8")
    for program, body in programs.items():
        executable(folder / "bin" / program, f"#!/bin/sh\necho \"{program} $*\" >>'{folder}/calls'\n{body}\n")
    path = f"{folder / 'bin'}:{AWS / 'files'}:{os.environ['PATH']}"
    return folder, os.environ | {"PATH": path, "MACHINE_ENV": str(folder / "machine.env"), "PAUSE": "0.1", "ATTEMPTS": "5"}


def calls(folder):
    file = folder / "calls"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def status(*command, environment, timeout=300):
    try:
        done = subprocess.run([str(c) for c in command], env=environment, timeout=timeout, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired:
        return 124, f"{command[0]}: not done in {timeout} s"
    return done.returncode, done.stdout


def fetch(workshop):
    """a file with a wrong SHA-256 is not kept; fetch waits for a late network"""
    content = b"the WAR"
    (workshop.directory / "object").write_bytes(content)
    # Fails twice, then returns the object.
    body = f"""n=$(grep -c . '{workshop.directory}/fetch/calls'); [ "$n" -gt 2 ] || exit 1
case $1 in s3) for a; do last=$a; done; cp '{workshop.directory}/object' "$last" ;; ssm) echo secret ;; esac"""
    folder, environment = stubs(workshop, "fetch", aws=body)
    target = folder / "ROOT.war"
    right = hashlib.sha256(content).hexdigest()
    code, out = status("chatflow-fetch", "k/war", right, target, environment=environment)
    expect(code == 0 and target.read_bytes() == content, f"right sum: status {code}\n{out}")
    expect(len(calls(folder)) == 3, f"repeated until it came: {calls(folder)}")
    target.unlink()
    code, out = status("chatflow-fetch", "k/war", right[::-1], target, environment=environment)
    expect(code != 0 and "not the file that was uploaded" in out, f"wrong sum: status {code}\n{out}")
    expect(not any(f.name.startswith("ROOT.war") for f in folder.iterdir()), "a file with a wrong sum was kept")
    code, out = status("chatflow-fetch", "--parameter", "server/amqp_uri", environment=environment)
    expect(code == 0 and out == "secret\n" and "--name /chatflow/server/amqp_uri --with-decryption" in calls(folder)[-1], out)


class Metadata(BaseHTTPRequestHandler):
    """The instance's metadata service, version 2: no answer without a token."""
    states = []

    def answer(self, code, text):
        self.send_response(code)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_PUT(self):
        lifetime = self.headers.get("X-aws-ec2-metadata-token-ttl-seconds")
        self.answer(200 if self.path == "/latest/api/token" and lifetime else 400, "token-1")

    def do_GET(self):
        if self.headers.get("X-aws-ec2-metadata-token") != "token-1":
            self.answer(401, "")
        elif self.path == "/latest/meta-data/instance-id":
            self.answer(200, "i-0123456789abcdef0")
        elif self.path == "/latest/meta-data/autoscaling/target-lifecycle-state":
            state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
            self.answer(200 if state else 404, state or "")
        else:
            self.answer(404, "")

    def log_message(self, *_):
        pass


def leave(workshop):
    """a leaving server drains, then completes its lifecycle action, against a fake metadata service"""
    need("curl", "curl")
    folder = workshop.directory / "leave"
    # The first completion fails.
    again = f"[ $(grep -c '^aws' '{folder}/calls') -gt 1 ]"
    _, environment = stubs(workshop, "leave", systemctl="exit 0", aws=again)
    Metadata.states = [None, "InService", "InService", "Terminated"]
    service = ThreadingHTTPServer(("127.0.0.1", 0), Metadata)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    try:
        environment |= {"METADATA_URL": f"http://127.0.0.1:{service.server_port}", "POLL_SECONDS": "0.1"}
        code, out = status("chatflow-leave", environment=environment)
        expected = ("aws autoscaling complete-lifecycle-action --region us-east-1 --auto-scaling-group-name chatflow-server "
                    "--lifecycle-hook-name chatflow-drain --instance-id i-0123456789abcdef0 --lifecycle-action-result CONTINUE")
        expect(code == 0, f"status {code}\n{out}")
        expect(calls(folder) == ["systemctl stop chatflow.service", expected, expected], f"calls: {calls(folder)}")
        expect(len(Metadata.states) == 1, "it acted before the group removed the machine")
        # A server that does not stop must not keep the machine for ever.
        executable(folder / "bin/systemctl", "#!/bin/sh\nexit 1\n")
        code, out = status("chatflow-leave", environment=environment)
        expect(code == 0 and "did not stop cleanly" in out and calls(folder)[-1] == expected, f"status {code}\n{out}")
    finally:
        service.shutdown()
        service.server_close()


def load(workshop):
    """chatflow-load uses the running servers, and the broker only on request"""
    body = """case "$*" in *describe-instances*) printf '10.42.144.7\\t10.42.128.9\\n' ;; *monitor_password*) echo pass ;; *token_key*) echo key ;; esac"""
    folder, environment = stubs(workshop, "load", aws=body, java=f"""case "$*" in *" token "*) echo "token by $(cat /dev/fd/3)"; exit ;; esac
echo "broker $CHATFLOW_CLIENT_BROKER $(cat /dev/fd/3)" >>'{workshop.directory}/load/calls'; exit 4""")
    servers = "ws://10.42.128.9:8080/chat ws://10.42.144.7:8080/chat"
    code, out = status("chatflow-load", "--urls", environment=environment)
    expect(code == 0 and out.split() == servers.split(), out)
    query = next(c for c in calls(folder) if "describe-instances" in c)
    expect("Name=tag:Project,Values=chatflow" in query and "Values=server" in query and "Values=running" in query, query)
    code, _ = status("chatflow-load", "--broker", "-m", "20", environment=environment)
    run, broker = calls(folder)[-2:]
    expect(code == 4, f"the client's status is lost: {code}")
    expect(run.endswith(f"run -m 20 --token @/dev/fd/3 {servers}"), run)
    expect(broker == "broker http://monitor:pass@10.42.128.10:15672 token by key", broker)
    status("chatflow-load", "ws://balancer/chat", environment=environment)
    expect(calls(folder)[-2].endswith("run ws://balancer/chat --token @/dev/fd/3") and calls(folder)[-1] == "broker  token by key", calls(folder)[-2:])


def logs(workshop):
    """logs of a cluster of brokers are created after all have joined"""
    # Two have joined at first, then all three.
    body = f"""case "$*" in *await_online_nodes*) [ $(grep -c await_online '{workshop.directory}/logs/calls') -gt $THERE_AFTER ] ;; esac"""
    folder, environment = stubs(workshop, "logs", docker=body)
    with open(folder / "machine.env", "a", encoding="utf-8") as file:
        file.write("NODE=1\nNODES=3\n")
    environment |= {"PAUSE": "0.01"}
    code, out = status("chatflow-logs", environment=environment | {"THERE_AFTER": "9"})
    expect(code == 1 and "not all of 3 brokers" in out and "import" not in "".join(calls(folder)), f"status {code}\n{out}")
    (folder / "calls").unlink()
    code, out = status("chatflow-logs", environment=environment | {"THERE_AFTER": "2"})
    made = [c.partition("--quiet ")[2] for c in calls(folder)]
    expect(code == 0 and made == [*3 * ["await_online_nodes 3 --timeout 5"], "import_definitions /var/lib/rabbitmq/cluster.json"],
           f"status {code}: {made}\n{out}")


def watch(workshop):
    """a broker's machine reports its metrics to CloudWatch, and nothing if RabbitMQ does not answer"""
    folder, environment = stubs(workshop, "watch", aws="exit 0")
    with open(folder / "machine.env", "a", encoding="utf-8") as file:
        file.write("NODE=2\n")
    page = folder / "metrics"
    page.write_text("# TYPE rabbitmq_disk_space_available_bytes gauge\nrabbitmq_disk_space_available_bytes 5e9\n"
                    "rabbitmq_disk_space_available_limit_bytes 2e9\nrabbitmq_process_resident_memory_bytes 750\n"
                    "rabbitmq_resident_memory_limit_bytes 1000\n", encoding="utf-8")
    environment |= {"METRICS_URL": page.as_uri()}
    code, out = status("chatflow-watch", environment=environment)
    told = [c.partition("--metric-name ")[2] for c in calls(folder)]
    expect(code == 0 and told == ["BrokerRuns --dimensions Node=2 --value 1", "BrokerDiskLeft --dimensions Node=2 --value 2.500",
                                  "BrokerMemoryLeft --dimensions Node=2 --value 0.250"], f"status {code}: {told}\n{out}")
    expect(all("--region us-east-1 --namespace chatflow" in c for c in calls(folder)), calls(folder))
    for text in (None, "up 1\n"):
        page.unlink() if text is None else page.write_text(text, encoding="utf-8")
        code, out = status("chatflow-watch", environment=environment)
        expect(code != 0 and len(calls(folder)) == 3, f"it reports a broker that does not answer: {calls(folder)}")


def upload(workshop):
    """upload stores files under their sums, once, and records them"""
    folder = workshop.directory / "upload"
    body = f"""case "$2" in head-bucket) exit 1 ;; head-object) [ -e '{folder}/there' ] ;; esac"""
    _, environment = stubs(workshop, "upload", aws=body)
    for name in ("WAR", "CLIENT", "TOMCAT"):
        (folder / name).write_text(name, encoding="utf-8")
        environment[name] = str(folder / name)
    environment["MONITORING"] = str(folder)
    rules = folder / "rules/chat.yml"
    for part in (rules, folder / "dashboards/chat.json"):
        part.parent.mkdir()
        part.write_text("{}", encoding="utf-8")
    for old, words in ((str(folder / "apache-tomcat-11.0.25.tar.gz"), "has known holes"), ("", "TOMCAT is not set")):
        code, out = status(AWS / "upload", "--bucket", "b-1", environment=environment | {"TOMCAT": old})
        expect(code == 1 and words in out, out)
    command = [AWS / "upload", "--bucket", "b-1", "--region", "eu-central-1", "--out", folder / "noted.json"]
    code, out = status(*command, environment=environment)
    expect(code == 0, out)
    noted = json.loads((folder / "noted.json").read_text(encoding="utf-8"))
    sum_of_war = hashlib.sha256(b"WAR").hexdigest()
    expect(noted["artifact_bucket"] == "b-1" and set(noted["artifacts"]) == {"war", "tomcat", "client", "monitoring"}, noted)
    expect(noted["artifacts"]["war"] == {"key": f"chatflow/war/{sum_of_war}.war", "sha256": sum_of_war}, noted["artifacts"]["war"])
    made = " ".join(calls(folder))
    expect("LocationConstraint=eu-central-1" in made and "RestrictPublicBuckets=true" in made and "Status=Enabled" in made, made)
    expect(sum(c.startswith("aws s3 cp") for c in calls(folder)) == 4, made)
    (folder / "there").touch()
    os.utime(rules, (1, 1))
    (folder / "calls").unlink()
    code, out = status(*command, environment=environment)
    expect(code == 0 and not any(c.startswith("aws s3 cp") for c in calls(folder)), f"uploaded twice\n{out}")
    expect(json.loads((folder / "noted.json").read_text(encoding="utf-8")) == noted, "the same files got other keys")
