import contextlib
import http.server
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
import zlib
from pathlib import Path
from unittest import mock

from chatflow_infra import cluster, proc, quota
from chatflow_infra.common import ROOT, Problem, free_port, get, listens, wait_until

LOCAL = ROOT / "infra/local"
HAPROXY = (LOCAL / "haproxy.cfg").read_text()
NGINX = (LOCAL / "nginx.conf").read_text()


def temporary(test):
    """A folder that is removed after the test."""
    place = tempfile.TemporaryDirectory()
    test.addCleanup(place.cleanup)
    return Path(place.name)


class TemplatesTest(unittest.TestCase):
    def test_haproxy_file_is_the_cluster_of_four_by_shard(self):
        generated = cluster.haproxy_config(HAPROXY, 18080, [(n, 18080 + n) for n in range(1, 5)], "shard")
        expected = [line for line in HAPROXY.splitlines() if line.strip() not in ("# servers:", "# end")]
        self.assertEqual(expected, generated.splitlines())

    def test_nginx_file_is_the_cluster_of_four_by_room(self):
        generated = cluster.nginx_config(NGINX, 18080, [(n, 18080 + n) for n in range(1, 5)], "shard")
        expected = [line for line in NGINX.splitlines() if line.strip() not in ("# servers:", "# end")]
        self.assertEqual(expected, generated.splitlines())

    def test_two_servers_share_the_shards(self):
        generated = cluster.haproxy_config(HAPROXY, 20000, [(1, 20001), (2, 20002)], "shard")
        for shard, server in enumerate(["server-1", "server-2", "server-1", "server-2"]):
            self.assertIn(f"use-server {server} if {{ var(txn.shard) -m int {shard} }}\n", generated)
        self.assertNotIn("server-3", generated)
        self.assertNotIn("18080", generated.split("global")[1])

    def test_without_affinity_the_other_backend_serves(self):
        self.assertIn("default_backend round-robin", cluster.haproxy_config(HAPROXY, 1, [(1, 2)], "none"))
        self.assertIn("http://round-robin;", cluster.nginx_config(NGINX, 1, [(1, 2)], "none"))

    @unittest.skipUnless(shutil.which("haproxy"), "package haproxy is not installed")
    def test_haproxy_takes_the_file(self):
        said = subprocess.run(["haproxy", "-c", "-f", LOCAL / "haproxy.cfg"], capture_output=True, text=True, check=False)
        self.assertEqual(0, said.returncode, said.stderr)

    @unittest.skipUnless(shutil.which("nginx"), "package nginx is not installed")
    def test_nginx_takes_the_file(self):
        with tempfile.TemporaryDirectory() as place:
            for name in ("logs", "temp"):
                Path(place, name).mkdir()
            said = subprocess.run(["nginx", "-t", "-p", place, "-c", LOCAL / "nginx.conf"], capture_output=True, text=True, check=False)
        self.assertEqual(0, said.returncode, said.stderr)


class ShardsTest(unittest.TestCase):
    """Tests that the number of shards is the same wherever it is written down."""

    PLACES = {
        "infra/local/haproxy.cfg": r"crc32,mod\((\d+)\)",
        "infra/aws/variables.tf": r'variable "shards" \{[^}]*?default += (\d+)',
        "infra/aws/render/variables.tf": r'variable "shards" \{[^}]*?default += (\d+)',
        "infra/compose/compose.yaml": r"\$\{SHARDS:-(\d+)\}",
        "docs/reference/configuration.md": r"\| `CHATFLOW_SHARDS` \|(?: `--shards` \|)? `(\d+)` \|",
    }

    def test_every_file_has_the_servers_number_by_default(self):
        wanted = re.search(r"DEFAULT_COUNT = (\d+);", (ROOT / "consumer-lib/src/main/java/dev/chatflow/room/Shard.java").read_text())[1]
        for name, pattern in self.PLACES.items():
            found = re.findall(pattern, (ROOT / name).read_text())
            self.assertTrue(found, name)
            self.assertEqual({wanted}, set(found), name)

    def test_haproxy_file_places_each_shard(self):
        self.assertEqual([str(cluster.SHARDS)] * 2, re.findall(r"mod\((\d+)\)", HAPROXY))
        self.assertEqual([str(n) for n in range(cluster.SHARDS)], re.findall(r"-m int (\d+) ", HAPROXY))


class LimitsTest(unittest.TestCase):
    """Tests the limits for clients in all balancer files, and the trust in address headers."""

    WANTED = {"CHATFLOW_RATE_LIMIT": "50", "CHATFLOW_MAX_PER_ADDRESS": "200"}
    PLACES = ("infra/tomcat/chatflow.env", "infra/compose/compose.yaml", "infra/aws/render/main.tf", "docs/how-to/secure.md")

    def test_every_deployment_bounds_an_address_and_knows_its_balancer(self):
        for name in self.PLACES:
            text = (ROOT / name).read_text(encoding="utf-8")
            set_there = dict(re.findall(r'(?m)^ *(CHATFLOW_(?:RATE_LIMIT|MAX_PER_ADDRESS))(?: *= *"?|: )(\d+)', text))
            self.assertEqual(self.WANTED, set_there, name)
            self.assertRegex(text, r"CHATFLOW_TRUSTED_PROXIES *[=:] *\S", name)

    def test_loads_of_such_servers_come_as_a_service(self):
        self.assertIn("--service", (ROOT / "infra/aws/files/chatflow-load").read_text(encoding="utf-8"))
        told = [line for name in ("docs/how-to/several-servers.md", "docs/how-to/secure.md", "infra/compose/compose")
                for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if "./chatflow load" in line]
        told += [line for line in (ROOT / "docs/how-to/several-servers.md").read_text(encoding="utf-8").splitlines() if "client.jar run" in line]
        self.assertEqual(5, len(told), told)
        for line in told:
            self.assertRegex(line, r"--token @\S*service\.token", line)


class AddressTest(unittest.TestCase):
    def test_where_the_broker_answers_is_told_with_its_user_and_never_its_password(self):
        uri = "http://guest:sec:ret@127.0.0.1:15672"
        self.assertEqual("http://127.0.0.1:15672", cluster.without_password(uri))
        self.assertEqual(("guest", "none"), (cluster.user_of(uri), cluster.user_of("http://127.0.0.1:1")))


class ProcessTest(unittest.TestCase):
    def test_a_process_runs_until_it_is_a_zombie_or_gone(self):
        child = subprocess.Popen(["sleep", "30"])
        with mock.patch.object(proc, "command_line", return_value=""):  # as just before its end
            self.assertTrue(proc.runs(child.pid))
        child.kill()
        wait_until(lambda: not proc.runs(child.pid), "the zombie")
        child.wait()
        self.assertFalse(proc.runs(child.pid))
        self.assertFalse(proc.runs(0))


class QuotaTest(unittest.TestCase):
    def setUp(self):
        self.root = temporary(self)

    def test_version_1_limits_cpu_below_the_own_groups(self):
        for controller in ("cpu", "cpuacct", "memory"):
            (self.root / controller / "own").mkdir(parents=True)
        mounts = "".join(f"cgroup {self.root}/{c} cgroup rw,{c} 0 0\n" for c in ("cpu", "cpuacct", "memory"))
        made = quota.Quota("x", 0.2, 512 << 20, mounts, "2:cpu,cpuacct:/own\n1:memory:/own\n")
        self.assertEqual("1000", (self.root / "cpu/own/x/cpu.cfs_quota_us").read_text())
        self.assertEqual("5000", (self.root / "cpu/own/x/cpu.cfs_period_us").read_text())
        self.assertEqual("536870912", (self.root / "memory/own/x/memory.limit_in_bytes").read_text())
        self.assertEqual(3, len(made.directories))

    def test_version_2_enables_what_it_needs(self):
        (self.root / "cgroup.subtree_control").write_text("")
        quota.Quota("x", 0.5, None, f"cgroup2 {self.root} cgroup2 rw 0 0\n", "0::/\n")
        self.assertEqual("+cpu", (self.root / "cgroup.subtree_control").read_text())
        self.assertEqual("2500 5000", (self.root / "x/cpu.max").read_text())

    def test_a_limit_ends_and_comes_back_under_version_1_and_2(self):
        (self.root / "cgroup.subtree_control").write_text("cpu")
        made = quota.Quota("x", 0.5, None, f"cgroup2 {self.root} cgroup2 rw 0 0\n", "0::/\n")
        made.limit(None)
        self.assertEqual("max 5000", (self.root / "x/cpu.max").read_text())
        made = quota.Quota("y", 0.5, None, f"cgroup {self.root} cgroup rw,cpu 0 0\n", "1:cpu:/\n")
        made.limit(None)
        self.assertEqual("-1", (self.root / "y/cpu.cfs_quota_us").read_text())
        made.limit(0.1)  # the kernel accepts no quota below 1 ms
        self.assertEqual("1000", (self.root / "y/cpu.cfs_quota_us").read_text())
        self.assertEqual("10000", (self.root / "y/cpu.cfs_period_us").read_text())

    def test_a_share_comes_before_others_under_version_1_and_2(self):
        for version, file, usual, preferred in ((f"cgroup2 {self.root} cgroup2 rw 0 0\n", "cpu.weight", "100", "10000"),
                                                (f"cgroup {self.root} cgroup rw,cpu 0 0\n", "cpu.shares", "1024", "262144")):
            (self.root / "cgroup.subtree_control").write_text("cpu")
            made = quota.Quota(file, 0.5, None, version, "0::/\n1:cpu:/\n")
            (self.root / file / file).write_text(usual)
            made.prefer(True)
            self.assertEqual(preferred, (self.root / file / file).read_text())
            made.prefer(False)
            self.assertEqual(usual, (self.root / file / file).read_text())

    def test_a_process_is_taken_in(self):
        made = quota.Quota("x", 0.5, None, f"cgroup {self.root} cgroup rw,cpu 0 0\n", "1:cpu:/\n")
        made.take(4242)
        self.assertEqual("4242", (self.root / "x/cgroup.procs").read_text())

    def test_a_machine_without_cgroups_is_told_in_one_sentence(self):
        with self.assertRaisesRegex(quota.QuotaError, r"^no CPU quota can be set here \(.*no cgroups\): run as root[^\n]*$"):
            quota.Quota("x", 0.2, None, "proc /proc proc rw 0 0\n", "")

    def test_a_group_that_may_not_be_made_is_told_and_nothing_is_left(self):
        mounts = f"cgroup {self.root}/absent cgroup rw,cpu 0 0\n"
        with self.assertRaisesRegex(quota.QuotaError, "no CPU quota can be set here"):
            quota.Quota("x", 0.2, None, mounts, "1:cpu:/\n")
        self.assertEqual([], list(self.root.iterdir()))

    def test_a_limit_that_is_not_taken_is_an_error(self):
        with self.assertRaisesRegex(OSError, "did not accept"):
            quota.set_value(Path("/dev/null"), 7)


def why_no_quota():
    try:
        quota.Quota("chatflow-test-whether", 0.5).remove()
        return ""
    except quota.QuotaError as e:
        return str(e)


@unittest.skipIf(why_no_quota(), why_no_quota())
class RealQuotaTest(unittest.TestCase):
    def test_a_busy_process_is_throttled_and_nothing_is_left(self):
        made = quota.Quota("chatflow-test", 0.1, 64 << 20)
        self.addCleanup(made.remove)
        child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        try:
            made.take(child.pid)
            made.prefer(True)
            wait_until(lambda: quota.throttled(made.directories)[1] > 0, "throttling")
            made.prefer(False)
        finally:
            child.kill()
            child.wait()
        made.remove()
        self.assertEqual([], [d for d in made.directories if d.exists()])


@unittest.skipUnless(shutil.which("haproxy"), "package haproxy is not installed")
class ShardRuleTest(unittest.TestCase):
    """Compares HAProxy's rule with the project's: n mod K for canonical numbers, else CRC-32 mod K."""

    ROOMS = ["0", "1", "7", "20", "999999999", "1000000000", "007", "lobby", "Team_42", "a-b", "-1"]
    PATHS = [("/chat/", ""), ("/api/rooms/", ""), ("/api/rooms/", "/messages")]

    def test_haproxy_computes_the_shard(self):
        rules = [line.strip() for line in HAPROXY.splitlines() if "set-var(txn.room)" in line or "set-var(txn.shard)" in line]
        self.assertEqual(4, len(rules))
        with tempfile.TemporaryDirectory() as place:
            port = free_port()
            Path(place, "c.cfg").write_text(
                "defaults\n mode http\n timeout client 5s\n timeout server 5s\n timeout connect 5s\n"
                f"frontend f\n bind 127.0.0.1:{port}\n" + "".join(f" {rule}\n" for rule in rules)
                + " http-request return status 200 content-type text/plain lf-string %[var(txn.shard)]\n")
            process = subprocess.Popen(["haproxy", "-db", "-f", f"{place}/c.cfg"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                wait_until(lambda: listens(port), "HAProxy's port")
                for path in (f"{before}{room}{behind}" for room in self.ROOMS for before, behind in self.PATHS):
                    room = path.split("/")[3 if path.startswith("/api") else 2]
                    _, shard = get(f"http://127.0.0.1:{port}{path}")
                    self.assertEqual(str(expected_shard(room)), shard, path)
            finally:
                process.terminate()
                process.wait()


class FakeServer:
    """A fake server: /health and upgrades; after its end, its port rejects connections. Answers a request for /held at the release."""

    def __init__(self, port=0):
        fake = self
        self.health, self.upgrade = 200, 200
        self.headers = None  # of the newest upgrade
        self.held, self.release = [], threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/held":
                    fake.held.append(self)
                    fake.release.wait()
                if self.path != "/health":
                    fake.headers = self.headers
                self.send_response(fake.health if self.path == "/health" else fake.upgrade)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.http.server_port
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def go(self):
        self.http.shutdown()
        self.http.server_close()


@unittest.skipUnless(shutil.which("haproxy"), "package haproxy is not installed")
class HaproxyTest(unittest.TestCase):
    """Tests the file in front of two fake servers: shards 0 and 2 belong to the first, 1 and 3 to the second."""

    def setUp(self):
        place = temporary(self)
        self.servers = [FakeServer(), FakeServer()]
        for server in self.servers:
            self.addCleanup(server.go)
        self.port = free_port()
        text = cluster.haproxy_config(HAPROXY, self.port, [(n + 1, s.port) for n, s in enumerate(self.servers)], "shard")
        Path(place, "haproxy.cfg").write_text(text)
        process = subprocess.Popen(["haproxy", "-db", "-f", f"{place}/haproxy.cfg"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: listens(self.port), "HAProxy's port")

    def served(self, room):
        """Returns (status, server) of an upgrade."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/chat/{room}", timeout=60) as answer:
                return answer.status, answer.headers["X-Served-By"]
        except urllib.error.HTTPError as e:
            return e.code, e.headers["X-Served-By"]

    def await_down(self, *numbers):
        def all_down():
            _, page = get(f"http://127.0.0.1:{self.port + 10}/;csv")
            return all(re.search(rf"^by-shard,server-{n},.*,DOWN,", page, re.M) for n in numbers)
        wait_until(all_down, f"{numbers} being down")

    def test_a_restart_waits_until_the_balancer_uses_the_server_again(self):
        place = cluster.Cluster(temporary(self))
        place.state = {"balancer": "haproxy", "port": self.port}
        self.servers[0].health = 503
        self.await_down(1)
        with mock.patch.object(cluster, "START_SECONDS", 0.5), self.assertRaisesRegex(Problem, "server 1 being up"):
            place.await_balanced(1)
        self.servers[0].health = 200
        place.await_balanced(1)
        self.assertEqual((200, "server-1"), self.served(0))

    def test_a_shard_has_its_server(self):
        self.assertEqual([(200, f"server-{n}") for n in (1, 2, 1, 2)], [self.served(room) for room in range(4)])

    def test_no_upgrade_is_refused_while_the_checks_do_not_know_yet_that_a_server_is_gone_or_drains(self):
        self.servers[1].upgrade = 503
        self.assertEqual([(200, "server-1")] * 20, [self.served(1) for _ in range(20)])
        self.servers[1].go()
        self.assertEqual([(200, "server-1")] * 20, [self.served(1) for _ in range(20)])

    def test_whoever_takes_an_upgrade_gets_it_when_the_checks_know_of_nobody(self):
        for server in self.servers:
            server.health = 503
        self.servers[1].upgrade = 503
        self.await_down(1, 2)
        self.assertEqual([(200, "server-1")] * 10, [self.served(room) for room in range(10)])


class StrangersTest(unittest.TestCase):
    """Tests the files in front of one fake server, with a hostile client."""

    HALF_HEADS = 400
    BOUND = 3

    def setUp(self):
        self.server = FakeServer()
        self.addCleanup(self.server.go)
        self.port, self.place = free_port(), temporary(self)
        (self.place / "logs").mkdir()
        (self.place / "temp").mkdir()

    def start(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_until(lambda: get(f"http://127.0.0.1:{self.port}/health")[0] == 200, f"first answer of {command[0]}")

    def start_haproxy(self, *replaced):
        file = self.place / "haproxy.cfg"
        file.write_text(with_replaced(cluster.haproxy_config(HAPROXY, self.port, [(1, self.server.port)], "shard"), replaced))
        self.start("haproxy", "-db", "-f", str(file))

    def start_nginx(self, *replaced):
        file = self.place / "nginx.conf"
        file.write_text(with_replaced(cluster.nginx_config(NGINX, self.port, [(1, self.server.port)], "shard"), replaced))
        self.start("nginx", "-p", str(self.place), "-c", str(file), "-e", str(self.place / "logs/nginx.log"), "-g", "daemon off;")

    @unittest.skipUnless(shutil.which("haproxy"), "package haproxy is not installed")
    def test_haproxy_lets_no_stranger_choose_his_address_or_hold_places(self):
        self.start_haproxy()
        self.judge()

    @unittest.skipUnless(shutil.which("nginx"), "package nginx is not installed")
    def test_nginx_lets_no_stranger_choose_his_address_or_hold_places(self):
        self.start_nginx()
        self.judge()

    @unittest.skipUnless(shutil.which("haproxy"), "package haproxy is not installed")
    def test_haproxy_holds_so_many_connections_of_one_address(self):
        self.start_haproxy(("sc0_conn_cur gt 2000", f"sc0_conn_cur gt {self.BOUND}"), ("src 127.0.0.0/8 ::1", "src 192.0.2.1"))
        self.judge_bound(None)

    @unittest.skipUnless(shutil.which("nginx"), "package nginx is not installed")
    def test_nginx_holds_so_many_connections_of_one_address_whose_requests_it_has_read(self):
        self.start_nginx(("limit_conn addresses 2000;", f"limit_conn addresses {self.BOUND};"), ("127.0.0.0/8 0;", "127.0.0.0/8 1;"))
        for _ in range(2 * self.BOUND):
            self.connection(b"GET /chat/5 HTTP/1.1\r\nHost: loc")  # not counted
        self.judge_bound(429)

    @unittest.skipUnless(shutil.which("haproxy") and shutil.which("nginx"), "package haproxy or nginx is not installed")
    def test_this_machines_own_connections_are_not_counted(self):
        for start, bound in ((self.start_haproxy, ("gt 2000", f"gt {self.BOUND}")),
                             (self.start_nginx, ("addresses 2000;", f"addresses {self.BOUND};"))):
            self.port = free_port()
            start(bound)
            for _ in range(2 * self.BOUND):
                self.hold()

    def connection(self, sent):
        """Returns None if it was rejected before everything was sent."""
        with contextlib.suppress(ConnectionError):
            peer = socket.create_connection(("127.0.0.1", self.port), 60)
            self.addCleanup(peer.close)
            peer.sendall(sent)
            return peer
        return None

    def hold(self):
        """Opens a connection whose request has reached the server. Tries again if the balancer still counts an ended one."""
        def taken():
            before = len(self.server.held)
            peer = self.connection(b"GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wait_until(lambda: not peer or len(self.server.held) > before or select.select([peer], [], [], 0)[0],
                       "a request or its refusal")
            return peer if len(self.server.held) > before else None
        return wait_until(taken, "a request under way")

    def status(self):
        """Returns the status of an answer on another connection; None if it was closed."""
        peer = self.connection(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            line = peer.makefile("rb").readline() if peer else b""
            return int(line.split()[1]) if line else None
        return None

    def judge_bound(self, refusal):
        held = [self.hold() for _ in range(self.BOUND)]
        self.assertEqual([refusal] * 5, [self.status() for _ in range(5)])
        self.server.release.set()
        for peer in held:
            peer.close()
        wait_until(lambda: self.status() == 200, "a place that is free again")

    def judge(self):
        lies = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Port": "443"}
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}/chat/5", headers=lies), timeout=60).close()
        seen = self.server.headers
        self.assertEqual((["127.0.0.1"], ["http"], None),
                         (seen.get_all("X-Forwarded-For"), seen.get_all("X-Forwarded-Proto"), seen.get_all("X-Forwarded-Port")))
        self.assertEqual(f"127.0.0.1:{self.port}", seen["Host"])
        halves = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(self.HALF_HEADS)]
        try:
            for half in halves:
                half.sendall(b"GET /chat/5 HTTP/1.1\r\nHost: loc")
            self.assertEqual(200, get(f"http://127.0.0.1:{self.port}/health")[0])
            halves[0].settimeout(60)  # HAProxy needs 5 s, nginx 10
            while halves[0].recv(4096):
                pass
        finally:
            for half in halves:
                half.close()


def with_replaced(text, pairs):
    for old, new in pairs:
        if text.count(old) != 1:
            raise AssertionError(f"{old} stands there {text.count(old)} times")
        text = text.replace(old, new)
    return text


def expected_shard(room):
    canonical = room == "0" or (room.isdigit() and len(room) <= 9 and room[0] != "0")
    return (int(room) if canonical else zlib.crc32(room.encode())) % cluster.SHARDS


if __name__ == "__main__":
    unittest.main()
