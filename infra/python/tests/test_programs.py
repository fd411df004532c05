import os
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from chatflow_infra import proc, programs
from chatflow_infra.common import Problem, tomcat_base, tomcat_version


class StockTomcatTest(unittest.TestCase):
    """An archive with a script instead of a Tomcat."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)
        self.home = self.archive(tomcat_version())
        self.war = self.root / "some.war"
        self.war.write_text("a WAR", encoding="utf-8")
        for name, value in (("ROOT", self.root), ("WAR", self.war)):
            patch = mock.patch.object(programs, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def archive(self, version, script="exec sleep 600"):
        home = self.root / f"server/target/apache-tomcat-{version}"
        for folder in ("bin", "conf"):
            (home / folder).mkdir(parents=True)
        for name in ("web.xml", "context.xml", "catalina.properties", "logging.properties"):
            (home / "conf" / name).write_text(name, encoding="utf-8")
        (home / "bin/catalina.sh").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (home / "bin/catalina.sh").chmod(0o755)
        return home

    def test_a_base_has_the_files_of_archive_and_project_and_its_settings_for_the_owner_alone(self):
        base = self.root / "base"
        tomcat_base(base, self.home, self.war, {"CHATFLOW_PORT": 1, "CHATFLOW_SHARDS": 4})
        self.assertEqual("CHATFLOW_PORT=1\nCHATFLOW_SHARDS=4\n", (base / "conf/chatflow.env").read_text(encoding="utf-8"))
        self.assertEqual(0o600, stat.S_IMODE((base / "conf/chatflow.env").stat().st_mode))
        self.assertEqual("a WAR", (base / "webapps/ROOT.war").read_text(encoding="utf-8"))
        self.assertEqual({"web.xml", "context.xml", "catalina.properties", "logging.properties", "server.xml", "chatflow.env"},
                         {file.name for file in (base / "conf").iterdir()})

    def test_a_tomcat_that_never_gets_ready_is_ended(self):
        before = proc.children(os.getpid())
        never = mock.patch.object(programs, "wait_until", side_effect=Problem("not within 120 s"))
        with never, self.assertRaisesRegex(Problem, "not within"):
            programs.StockTomcat(self.root / "base", "amqp://127.0.0.1:1")
        self.assertEqual(before, proc.children(os.getpid()))

    def test_another_version_left_by_an_older_build_is_not_taken(self):
        self.home.rename(self.root / "elsewhere")
        self.archive("11.0.9")
        with self.assertRaisesRegex(Problem, r"apache-tomcat-[\d.]+ is not unpacked: run \./chatflow build"):
            programs.StockTomcat(self.root / "base", "amqp://127.0.0.1:1")


if __name__ == "__main__":
    unittest.main()
