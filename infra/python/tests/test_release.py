import re
import subprocess
import unittest

from chatflow_infra.check import release
from chatflow_infra.common import ROOT

PLACES = (release.BARE_MACHINE, release.RELEASE, release.CLONE)
PAGES = {page: (ROOT / "docs" / page).read_text(encoding="utf-8") for page in release.PAGES}


class CommandsTest(unittest.TestCase):
    def test_every_block_of_commands_is_run_by_a_check(self):
        for page, text in PAGES.items():
            with self.subTest(page):
                marks = re.findall(r"(?m)^```sh *(.*)$", text)
                self.assertTrue(marks)
                for mark in marks:
                    place, *terminal = mark.split()
                    self.assertIn(place, PLACES)
                    self.assertIn(terminal, ([], [release.SERVER], [release.STOPPED]))
                self.assertEqual(len(marks), sum(len(block) for place in PLACES for block in release.pages(place).get(page, {}).values()))

    def test_a_tutorial_has_no_command_that_no_check_runs(self):
        for page in [*(ROOT / "docs/tutorials").glob("*.md")]:
            text = page.read_text(encoding="utf-8")
            with self.subTest(page.name):
                self.assertNotRegex(text, r"pkill|killall")
                self.assertTrue(str(page.relative_to(ROOT / "docs")) in release.PAGES or "```console" in text)

    def test_sections_have_names_of_their_own(self):
        for place in PLACES:
            headings = release.headings(release.pages(place))
            self.assertTrue(headings, place)
            self.assertEqual(len(set(headings)), len(headings))
        self.assertLessEqual(set(release.UNTIL_FIRST_CHAT), set(release.headings(release.pages(release.BARE_MACHINE))))

    def test_a_server_is_one_command(self):
        for place in PLACES:
            for blocks in release.pages(place).values():
                for commands, terminal in sum(blocks.values(), []):
                    if terminal == release.SERVER:
                        self.assertEqual(1, len(commands.splitlines()), commands)

    def test_documents_name_the_version_of_these_sources(self):
        version = re.search(r"(?m)^  <version>(.*)</version>", (ROOT / "pom.xml").read_text(encoding="utf-8"))[1]
        named = set(re.findall(r"chatflow-(\d+\.\d+\.\d+)", "".join(PAGES.values()) + (ROOT / "README.md").read_text(encoding="utf-8")))
        self.assertEqual({version}, named)
        self.assertIn("deliveries", release.demo_sample())

    def test_a_section_is_one_script_whatever_is_between_its_commands(self):
        (commands, terminal), *_ = release.pages(release.BARE_MACHINE)["tutorials/first-chat.md"]["Unpack it"]
        self.assertTrue(commands.startswith("sha256sum -c"))
        self.assertEqual("", terminal)
        self.assertNotIn("```", commands)


class ScriptTest(unittest.TestCase):
    def run_script(self, parts):
        return subprocess.run(["bash", "-c", 'HOME=$(mktemp -d)\n' + release.script(parts)], capture_output=True, text=True, check=False)

    def test_what_a_section_took_is_shown_after_output_without_an_end_of_line(self):
        said = self.run_script({"page": {"One": [("printf no-end", "")], "Two": [("true", "")]}})
        self.assertEqual({"One": 0, "Two": 0}, release.took(said.stdout))
        failed = self.run_script({"page": {"One": [("(exit 6)", "")], "Two": [("(exit 7)", "")]}})
        self.assertEqual((7, ["One"]), (failed.returncode, list(release.took(failed.stdout))))

    def test_a_server_runs_until_it_is_stopped_or_its_page_ends(self):
        server = ("sh -c 'echo ready; exec sleep 60'\n", release.SERVER)
        said = self.run_script({"one": {"A": [server, ("jobs -pr | wc -l\n", ""), ("jobs -pr | wc -l\n", release.STOPPED)]},
                                "two": {"B": [server]}, "three": {"C": [("jobs -pr | wc -l\n", "")]}})
        self.assertEqual((0, ["1", "0", "0"]), (said.returncode, re.findall(r"(?m)^ *(\d)$", said.stdout)), said.stderr)

    def test_a_server_that_does_not_start_fails_the_script(self):
        failed = self.run_script({"page": {"One": [("sh -c 'echo no; exit 3'\n", release.SERVER)]}})
        self.assertNotEqual(0, failed.returncode)


if __name__ == "__main__":
    unittest.main()
