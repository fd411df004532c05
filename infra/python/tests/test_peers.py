import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from chatflow_infra.bench import peer_servers
from chatflow_infra.common import Problem, Skipped


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


if __name__ == "__main__":
    unittest.main()
