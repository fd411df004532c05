import fnmatch
import re
import unittest

from chatflow_infra.common import ROOT

DOCS = ROOT / "docs"


class PicturesTest(unittest.TestCase):
    def test_each_picture_is_shown_and_has_a_command_that_makes_it(self):
        text = "".join(file.read_text(encoding="utf-8") for file in [ROOT / "README.md", *DOCS.rglob("*.md")])
        table = (DOCS / "development.md").read_text(encoding="utf-8").split("### Where each picture comes from")[1].split("\n## ")[0]
        made = [name for row in re.findall(r"(?m)^\| (.*?) \|", table) for name in re.findall(r"`([\w*./-]+\.(?:png|svg))`", row)]
        measured = "".join(re.findall(r"(?s)<!-- bench [\w-]+ -->.*?<!-- end", text))
        pictures = [str(file.relative_to(DOCS)) for ending in ("png", "svg") for file in DOCS.rglob(f"*.{ending}")]
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
