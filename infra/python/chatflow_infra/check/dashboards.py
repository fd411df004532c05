"""Tests whether every expression of dashboards and rules has data in a running Prometheus. Panels are queried, not drawn.

python3 infra/python dashboards URL queries your Prometheus: panels of events that have not happened there, such as errors,
are then rightly empty.
"""
import json
import math
import re
import socket
import time
import urllib.parse

from ..common import ROOT, Problem, get

VARIABLES = {"$server": ".*", "${datasource}": "prometheus"}
METRIC = re.compile(r'\b((?:chatflow|rabbitmq|process|jvm|node)_\w+|up)(\{[^}]*\})?')


def panels(dashboard):
    for panel in dashboard["panels"]:
        yield panel
        yield from panel.get("panels", [])


def structure(name, dashboard):
    """Returns the errors of the file itself."""
    ids = [panel["id"] for panel in panels(dashboard)]
    wrong = [f"{name}: panel id {i} twice" for i in sorted(set(ids)) if ids.count(i) > 1]
    for panel in panels(dashboard):
        if panel["type"] != "row" and not panel.get("targets"):
            wrong.append(f"{name}: {panel['title']} has no expression")
        for expression in (target["expr"] for target in panel.get("targets", [])):
            if "$" in plain(expression):
                wrong.append(f"{name}: {panel['title']} has an unknown variable: {expression}")
    return wrong


def plain(expression):
    """Replaces Grafana's variables."""
    for variable, value in VARIABLES.items():
        expression = expression.replace(variable, value)
    return expression


def has_data(answer):
    """Returns whether a query's answer contains a number."""
    if answer["status"] != "success":
        raise Problem(answer.get("error", "no success"))
    values = [v for series in answer["data"]["result"] for v in series.get("values", [])]
    return any(math.isfinite(float(value)) for _, value in values)


class Prometheus:
    """A running Prometheus, through its HTTP API."""

    def __init__(self, url):
        self.url = url

    def get(self, path, **parameters):
        _, text = get(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
        try:
            return json.loads(text)
        except ValueError as e:
            raise Problem(f"{self.url}: {text[:200]}") from e

    def trouble(self, expression):
        """Returns the error of an expression, or None."""
        now = time.time()
        try:
            answer = self.get("query_range", query=expression, start=now - 120, end=now, step=5)
            return None if has_data(answer) else "no data"
        except Problem as e:
            return str(e)

    def jobs_asked(self, times):
        """Returns the jobs whose targets have all answered `times` times."""
        answer = self.get("query", query=f"min by (job) (sum_over_time(up[10m])) >= {times}")
        return {each["metric"]["job"] for each in answer["data"]["result"]}

    def rules(self):
        return [rule for group in self.get("rules")["data"]["groups"] for rule in group["rules"]]


def wrong_with(prometheus, files):
    """Returns (number of expressions, all errors)."""
    wrong, asked = [], 0
    for file in files:
        dashboard = json.loads(file.read_text(encoding="utf-8"))
        wrong += structure(file.name, dashboard)
        for panel in panels(dashboard):
            for target in panel.get("targets", []):
                asked += 1
                trouble = prometheus.trouble(plain(target["expr"]))
                if trouble:
                    wrong.append(f"{file.name}: {panel['title']}: {trouble}: {target['expr']}")
    rules = prometheus.rules()
    for rule in rules:
        if rule["health"] not in ("ok", "unknown"):
            wrong.append(f"rule {rule['name']}: {rule.get('lastError')}")
        for metric, labels in METRIC.findall(rule["query"]):  # an alert is empty without problems, but its metric is not
            trouble = prometheus.trouble(f"count({metric}{labels})")
            if trouble:
                wrong.append(f"rule {rule['name']}: {trouble}: {metric}{labels}")
    if not asked or not rules:
        wrong.append("no expression")
    return asked, wrong


def mishaps(http):
    """Causes one of each kind of rejection, and a publish over HTTP."""
    host, port = http.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 10) as peer:
        peer.sendall(b"GET /chat/bad%20room HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        peer.recv(100)
    message = {"messageType": "TEXT", "userId": "1", "username": "user1", "message": "hello",
               "timestamp": "2026-01-01T00:00:00Z"}
    for body in (message, message | {"message": ""}):
        get(f"{http}/api/rooms/1/messages", "POST", json.dumps(body).encode())


def main(arguments):
    if len(arguments) != 1 or not arguments[0].startswith("http"):
        print(__doc__.strip())
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    try:
        asked, wrong = wrong_with(Prometheus(arguments[0].rstrip("/")), sorted((ROOT / "infra/monitoring/dashboards").glob("*.json")))
    except Problem as e:
        return f"dashboards: {e}"
    print(f"{asked} expressions", *wrong, sep="\n")
    return 1 if wrong else 0
