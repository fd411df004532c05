import unittest
import xml.etree.ElementTree as xml

from chatflow_infra.common import ROOT

POM = "{http://maven.apache.org/POM/4.0.0}"


class TomcatArchiveTest(unittest.TestCase):
    def test_a_build_without_tests_brings_it_for_upload_and_the_lab(self):
        executions = xml.parse(ROOT / "server/pom.xml").iter(POM + "execution")
        phases = [e.findtext(POM + "phase") for e in executions if e.findtext(POM + "id") == "stock-tomcat"]
        self.assertEqual(["package"], phases)


if __name__ == "__main__":
    unittest.main()
