import unittest

from chatflow_infra.check import session
from chatflow_infra.common import ROOT, Problem

DOCUMENT = """# A session
First.
```console
$ ./chatflow smoke
…
PASS  21 of 21 checks in 442 ms
$ ./chatflow load; echo "status $?"
…
  total runtime          4.6 s     window           3.9 s
status 3
```
Then.
"""


class SessionTest(unittest.TestCase):
    def test_commands_and_what_is_shown_of_each(self):
        self.assertEqual([("./chatflow smoke", ["…", "PASS  21 of 21 checks in 442 ms"]),
                          ('./chatflow load; echo "status $?"', ["…", "  total runtime          4.6 s     window           3.9 s", "status 3"])],
                         session.steps(DOCUMENT))

    def test_a_document_is_told_anew_with_the_figures_of_now(self):
        said = [["ok   close", "PASS  21 of 21 checks in 7 ms"], ["plan", "  total runtime  9.1 s     window  8.0 s", "more", "status 3"]]
        self.assertEqual(DOCUMENT.replace("442", "7").replace("          4.6 s     window           3.9 s", "  9.1 s     window  8.0 s"),
                         session.replayed(DOCUMENT, said))

    def test_a_line_that_does_not_come_or_another_status_is_told(self):
        good = [["PASS  1"], ["  total runtime  9.1 s", "status 3"]]
        for said, missing in (([["FAIL  2 lost"], good[1]], "PASS"), ([good[0], ["  total runtime  9 s", "status 0"]], "status 3"),
                              ([good[0], ["status 3", "  total runtime  9 s"]], "status 3"), (good[:1], "1 of 2")):
            with self.assertRaisesRegex(Problem, missing):
                session.replayed(DOCUMENT, said)

    def test_the_picture_is_made_by_the_commands_of_its_document_with_what_a_check_has(self):
        document = (ROOT / session.PICTURES).read_text(encoding="utf-8")
        commands = session.picture_commands(document, launcher="LAUNCHER", chat="CHAT", results="RESULTS", picture="PICTURE", browser="BROWSER ")
        self.assertEqual(["LAUNCHER load -o RESULTS CHAT", "BROWSER --headless --hide-scrollbars --window-size=1040,2600 --screenshot=PICTURE "
                          "RESULTS/report.html"], commands.splitlines())
        with self.assertRaises(Problem):
            session.picture_commands(document.replace("results/picture", "elsewhere"), launcher="", chat="", results="", picture="", browser="")


if __name__ == "__main__":
    unittest.main()
