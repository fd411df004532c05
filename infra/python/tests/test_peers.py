import contextlib
import json
import os
import re
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

from chatflow_infra import bench
from chatflow_infra.bench import peer_servers, peers, report
from chatflow_infra.common import Problem, Skipped

GOOD = dict(seconds=2.0, sent=100, deliveries=5000, missing=0, misordered=0, repeated=0, p50=1.0, p99=2.0, failure="")


class VerdictTest(unittest.TestCase):
    def test_both_loads_must_be_right(self):
        self.assertEqual("exact", peers.verdict(GOOD, GOOD, 0.5))
        told = peers.verdict(dict(GOOD, misordered=3), dict(GOOD, missing=1000, deliveries=4000, failure="closed 1006"), 0.5)
        self.assertEqual("at the rate of 5,000: 3 out of order; as fast as can be of 5,000: 1,000 missing, closed 1006", told)

    def test_a_driver_that_may_have_been_the_limit_is_told(self):
        self.assertEqual("exact, driver at its limit", peers.verdict(GOOD, GOOD, 0.99))


class PeersTest(unittest.TestCase):
    def test_each_peer_has_its_sources_and_one_pinned_version_in_them(self):
        folders = {folder.name for folder in peer_servers.SOURCES.iterdir() if folder.is_dir()}
        self.assertEqual(folders, set(peer_servers.PEERS))
        for name, peer in peer_servers.PEERS.items():
            self.assertRegex(peer.label(name), r" \d+\.\d+\.\d+$")

    def test_sources_name_no_address_to_install_from(self):
        for file in (path for path in peer_servers.SOURCES.rglob("*") if path.is_file()):
            self.assertNotRegex(file.name, r"lock|\.npmrc")
            hosts = set(re.findall(r"://([^/\s\"]+)", file.read_text(encoding="utf-8")))
            self.assertLessEqual(hosts, {"maven.apache.org", "www.w3.org"}, file)  # names of schemas

    def test_a_reason_fits_into_a_table_and_has_no_address(self):
        text = "npm install: status 1\nnpm notice x\nnpm error request to https://somewhere.example/ws failed | ECONNREFUSED\n"
        self.assertEqual("npm error request to … failed / ECONNREFUSED", peer_servers.reason(text))
        self.assertEqual("npm: not done in 600 s", peer_servers.reason("npm: not done in 600 s\n"))


class InstallTest(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.installs = []
        source = self.directory / "sources/some"
        source.mkdir(parents=True)
        self.file = source / "server.js"
        self.file.write_text("one", encoding="utf-8")
        peer = peer_servers.Peer("Some", "plain", self.installs.append, ("server.js", "(.*)"), ("node", "./server.js"))
        self.enterContext(mock.patch.object(peer_servers, "SOURCES", self.directory / "sources"))
        self.enterContext(mock.patch.object(peer_servers, "INSTALLED", self.directory / "installed"))
        self.enterContext(mock.patch.dict(peer_servers.PEERS, some=peer))
        self.enterContext(mock.patch("builtins.print"))

    def test_installed_once_and_again_when_sources_change(self):
        where = peer_servers.installed("some")
        self.assertEqual("one", (where / "server.js").read_text(encoding="utf-8"))
        peer_servers.installed("some")
        self.assertEqual(1, len(self.installs))
        self.file.write_text("two", encoding="utf-8")
        peer_servers.installed("some")
        self.assertEqual(2, len(self.installs))

    def test_what_cannot_be_had_is_asked_for_again(self):
        failing = mock.Mock(side_effect=Problem("npm install: status 1\nnpm error offline"))
        with mock.patch.dict(peer_servers.PEERS, some=peer_servers.Peer("Some", "plain", failing, ("server.js", "(.*)"), ())):
            for _ in range(2):
                with self.assertRaisesRegex(Skipped, "^npm error offline$"):
                    peer_servers.installed("some")
        self.assertEqual(2, failing.call_count)


class RowsTest(unittest.TestCase):
    """The bench with everything but its rows taken away."""

    def run_bench(self, servers, answers):
        driver = types.SimpleNamespace(pid=os.getpid(), stop=lambda: None, ask=lambda *words: dict(answers(words)))
        process = types.SimpleNamespace(pid=os.getpid())

        def start(_site, name):
            if name == "bun":
                raise Skipped("npm error offline")
            return process, 1

        with contextlib.ExitStack() as stack:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            stack.enter_context(mock.patch.object(report, "ROOT", directory))
            stack.enter_context(mock.patch("builtins.print"))
            stack.enter_context(mock.patch.object(peers, "Driver", lambda: driver))
            stack.enter_context(mock.patch.object(peer_servers, "start", start))
            stack.enter_context(mock.patch.object(peers.proc, "await_settled"))
            _, options = bench.parsed("peers", ["--servers", servers, "--repeat", "2"])
            is_exact = peers.peers(options)
            kept = next(directory.glob("results/*/rows.json"))
            return is_exact, json.loads(kept.read_text(encoding="utf-8")), (kept.parent / "table.md").read_text(encoding="utf-8")

    def test_what_cannot_be_had_is_a_row_that_says_why_and_no_failure(self):
        is_exact, rows, table = self.run_bench("ws,bun", lambda _: GOOD)
        self.assertTrue(is_exact)
        self.assertEqual(2, len(rows["windows"]))
        self.assertRegex(table, r"\| Bun [\d.]+ \|( - \|)+ not to be had: npm error offline \|")
        self.assertRegex(table, r"\| Node with ws [\d.]+ \| 1 \| 2 \| .* \| 2,500 \| .* \| \d/2 \| exact \|")

    def test_who_fails_does_not_take_the_others_with_him(self):
        opened = []

        def answers(words):
            opened.append(words)
            return dict(GOOD, failure="refused: full") if words[:2] == ("open", "socket.io") and len(opened) > 5 else GOOD

        is_exact, rows, table = self.run_bench("socket.io,ws", answers)
        self.assertFalse(is_exact)
        self.assertRegex(table, r"\| Socket.IO [\d.]+ \|.*refused: full \|")
        self.assertEqual(["exact"], [row["verdict"] for row in rows["medians"] if row["server"].startswith("Node")])

    def test_an_unknown_server_is_named_with_those_that_there_are(self):
        with self.assertRaisesRegex(Problem, "smoke: there are chatflow-embedded, chatflow-rabbitmq, bun"):
            self.run_bench("ws,smoke", lambda _: GOOD)


if __name__ == "__main__":
    unittest.main()
