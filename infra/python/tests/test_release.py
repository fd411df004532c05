import re
import subprocess
import unittest

from chatflow_infra.check import release
from chatflow_infra.common import ROOT

DOCUMENT = (ROOT / "docs/first-hour.md").read_text(encoding="utf-8")


class FirstHourTest(unittest.TestCase):
    def test_every_command_of_it_is_run_by_a_check(self):
        places = set(re.findall(r"(?m)^```sh ?(\w*)$", DOCUMENT))
        self.assertEqual({release.BARE_MACHINE, release.RELEASE, release.CLONE}, places)
        parts = [title for place in (release.BARE_MACHINE, release.RELEASE, release.CLONE) for title in release.parts(place)]
        self.assertEqual(re.findall(r"(?m)^## (.*)$", DOCUMENT), parts)
        self.assertEqual([title.lower() for title in parts], [title.lower() for title in re.findall(r"(?m)^\| \[(.*?)\]", DOCUMENT)])

    def test_documents_name_the_version_of_these_sources(self):
        version = re.search(r"(?m)^  <version>(.*)</version>", (ROOT / "pom.xml").read_text(encoding="utf-8"))[1]
        named = set(re.findall(r"chatflow-(\d+\.\d+\.\d+)", DOCUMENT + (ROOT / "README.md").read_text(encoding="utf-8")))
        self.assertEqual({version}, named)
        self.assertIn("deliveries", release.demo_sample())

    def test_a_part_is_one_script_whatever_stands_between_its_commands(self):
        first = release.parts(release.BARE_MACHINE)["The first chat"]
        self.assertTrue(first.startswith("sha256sum -c"))
        self.assertIn("./chatflow chat", first)
        self.assertNotIn("```", first)

    def test_what_a_part_took_is_told_behind_output_without_an_end_of_line(self):
        said = subprocess.run(["bash", "-c", release.script({"One": "printf no-end", "Two": "true"})], capture_output=True, text=True, check=True)
        self.assertEqual({"One": 0, "Two": 0}, release.took(said.stdout))
        failed = subprocess.run(["bash", "-c", release.script({"One": "(exit 6)", "Two": "(exit 7)"})], capture_output=True, text=True, check=False)
        self.assertEqual((7, ["One"]), (failed.returncode, list(release.took(failed.stdout))))


if __name__ == "__main__":
    unittest.main()
