import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from unittest import mock

from chatflow_infra.check import build
from chatflow_infra.common import ROOT, Problem

POM = "{http://maven.apache.org/POM/4.0.0}"


class TomcatArchiveTest(unittest.TestCase):
    def test_a_build_without_tests_brings_it_for_upload_and_the_lab(self):
        executions = xml.parse(ROOT / "server/pom.xml").iter(POM + "execution")
        phases = [e.findtext(POM + "phase") for e in executions if e.findtext(POM + "id") == "stock-tomcat"]
        self.assertEqual(["package"], phases)


class StampTest(unittest.TestCase):
    """Tests that ./chatflow rebuilds sources that are newer than the stamps."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.target = Path(place.name, "target")
        self.target.mkdir()
        patch = mock.patch.object(build, "ROOT", Path(place.name))
        patch.start()
        self.addCleanup(patch.stop)

    def built(self, maven):
        with mock.patch.object(build, "maven", maven):
            return build.build(mock.MagicMock(**{"site.postgres.return_value.url": "jdbc:postgresql://127.0.0.1/x"}))

    def stamps(self):
        return {file.name: file.stat().st_mtime_ns for file in self.target.iterdir()}

    def test_a_source_edited_during_the_build_is_newer_than_its_stamps(self):
        before = {}
        self.assertEqual("7 tests", self.built(lambda *_, **__: before.update(self.stamps()) or "7 tests"))
        self.assertEqual({"build.stamp.new", "lab.stamp.new"}, set(before))
        self.assertEqual({name.removesuffix(".new"): at for name, at in before.items()}, self.stamps())

    def test_a_failed_build_leaves_the_stamps_of_the_last_one(self):
        (self.target / "build.stamp").touch()
        last = self.stamps()

        def fails(*_, **__):
            raise Problem("mvn ended with 1")
        with self.assertRaises(Problem):
            self.built(fails)
        self.assertEqual(last["build.stamp"], self.stamps()["build.stamp"])
        self.assertNotIn("lab.stamp", self.stamps())


if __name__ == "__main__":
    unittest.main()
