import fnmatch
import os
import re
import unittest

from chatflow_infra.common import ROOT

DOCS = ROOT / "docs"


def anchor(heading):
    """Returns the anchor of a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", "").replace("*", ""))
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")


class LinksTest(unittest.TestCase):
    def test_each_link_leads_to_a_page_and_a_heading_that_exist(self):
        pages = {file: file.read_text(encoding="utf-8") for file in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]}
        headings = {file: {anchor(heading) for heading in re.findall(r"(?m)^#+ (.*)$", text)} for file, text in pages.items()}
        for file, text in pages.items():
            for link in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", text):
                path, _, name = link.partition("#")
                target = (file.parent / path).resolve() if path else file
                with self.subTest(page=file.name, link=link):
                    self.assertTrue(target.exists(), "no such page")
                    self.assertTrue(not name or name in headings.get(target, {name}), "no such heading")


class RunbookTest(unittest.TestCase):
    def test_each_alert_has_a_heading_with_its_severity_and_what_to_check_and_do(self):
        rules = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "infra/monitoring/rules").glob("*.yml"))
        alerts = re.findall(r"(?s)- alert: (\w+).*?severity: (\w+)", rules)
        runbook = (DOCS / "how-to/runbook.md").read_text(encoding="utf-8")
        documented = re.findall(r"(?m)^### (\w+) \((page|warn)\)\n\n.+\n\n\*\*Check:\*\* .+\n\n\*\*Do:\*\* .+$", runbook)
        self.assertEqual(sorted(alerts), sorted(documented))


class ReferenceTest(unittest.TestCase):
    def test_tables_of_verbs_are_made_from_the_usage_of_the_launcher(self):
        """REFERENCE_WRITE=1 writes them again."""
        usage = (ROOT / "chatflow").read_text(encoding="utf-8").split("usage() {")[1].split("\n}\n")[0]
        page = DOCS / "reference/cli.md"
        texts = re.findall(r"(?ms)<<'TEXT'\n(.*?)^TEXT$", usage)
        for name, text in (("verbs", texts[0]), ("clone", texts[2])):
            rows = re.findall(r"(?m)^  ([a-z-]+)\s+(\S.*)$", text)
            table = "".join(f"| {cell} |\n" for cell in ("verb | purpose", *(f"`{verb}` | {purpose}" for verb, purpose in rows)))
            table = table.replace("|\n", "|\n|---|---|\n", 1)
            marks = rf"(?s)(<!-- generated {name} -->\n)(.*?)(<!-- end {name} -->)"
            written = page.read_text(encoding="utf-8")
            if os.environ.get("REFERENCE_WRITE"):
                written = re.sub(marks, lambda part, table=table: part[1] + table + part[3], written)
                page.write_text(written, encoding="utf-8")
            self.assertEqual(re.search(marks, written)[2], table)

    def test_limits_are_the_defaults_of_their_keys(self):
        configuration = (DOCS / "reference/configuration.md").read_text(encoding="utf-8")
        rows = re.findall(r"(?m)^\| ([^|]*) \| ([^|]*) \| `(CHATFLOW_\w+)` \|$", (DOCS / "reference/limits.md").read_text(encoding="utf-8"))
        self.assertGreater(len(rows), 15)
        for name, value, key in rows:
            default = re.search(rf"(?m)^\| `{key}` \| `([^`]*)`", configuration)[1]
            with self.subTest(key):
                self.assertTrue(name == "shards" or default in value.replace(",", "").replace(" ", ""), f"{value} is not {default}")


class GlossaryTest(unittest.TestCase):
    #: Words for which the style guide has better terms: they name no type and no package.
    RULED_OUT = ("grave", "desk", "openings", "entrances", "seldom", "voice", "survivor", "fallen", "told", "owed", "heard", "gone",
                 "beaten", "pulse", "place", "stay")

    def test_each_term_is_explained_once_and_its_name_in_the_code_exists(self):
        glossary = (DOCS / "reference/glossary.md").read_text(encoding="utf-8")
        terms = re.findall(r"(?m)^\*\*([^*]+)\.\*\*", glossary)
        self.assertGreater(len(terms), 20)
        self.assertEqual(len(set(terms)), len(terms))
        code = "".join(file.read_text(encoding="utf-8") for file in self.sources()).lower()
        for name in re.findall(r"\*\(([^)]+)\)\*", glossary):
            self.assertTrue(name.lower().replace(" ", "") in code, name)

    def test_types_and_packages_use_the_words_of_the_glossary(self):
        for words in self.names():
            for word in words:
                self.assertNotIn(re.sub("s$", "", word), {re.sub("s$", "", each) for each in self.RULED_OUT}, " ".join(words))

    @staticmethod
    def sources():
        return [file for file in ROOT.rglob("src/main/java/**/*.java") if "target" not in file.parts]

    def names(self):
        """The words of each package and type of the main code."""
        sources = self.sources()
        packages = {file.parent.name for file in sources}
        return [[word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)] for name in [*packages, *(file.stem for file in sources)]]


class ExamplesTest(unittest.TestCase):
    def test_the_tutorial_shows_lines_of_the_examples(self):
        tutorial = (DOCS / "tutorials/chat-page-and-bot.md").read_text(encoding="utf-8")
        for language, example in (("java", "EchoBot.java"), ("html", "other-origin.html")):
            lines = {line.strip() for line in (DOCS / "examples" / example).read_text(encoding="utf-8").splitlines()}
            shown = re.search(rf"(?ms)^```{language}\n(.*?)^```$", tutorial)[1].splitlines()
            self.assertLessEqual({line.strip() for line in shown} - {""}, lines, example)


class PicturesTest(unittest.TestCase):
    def test_each_picture_is_shown_and_has_a_command_that_makes_it(self):
        text = "".join(file.read_text(encoding="utf-8") for file in [ROOT / "README.md", *DOCS.rglob("*.md")])
        table = (DOCS / "contributing/testing.md").read_text(encoding="utf-8").split("### Where each picture comes from")[1].split("\n## ")[0]
        made = [name for row in re.findall(r"(?m)^\| (.*?) \|", table) for name in re.findall(r"`([\w*./-]+\.(?:png|svg|gif))`", row)]
        measured = "".join(re.findall(r"(?s)<!-- bench [\w-]+ -->.*?<!-- end", text))
        pictures = [str(file.relative_to(DOCS)) for ending in ("png", "svg", "gif") for file in DOCS.rglob(f"*.{ending}")]
        self.assertIn("page.png", pictures)
        for picture in pictures:
            with self.subTest(picture):
                self.assertIn(f"{picture})", text)
                by_benchmark = picture.startswith("charts/") and f"{picture})" in measured
                self.assertTrue(by_benchmark or any(fnmatch.fnmatch(picture, name) for name in made), "nothing says how to renew it")
        for name in made:
            self.assertTrue(fnmatch.filter(pictures, name), f"no picture is called {name}")


if __name__ == "__main__":
    unittest.main()
