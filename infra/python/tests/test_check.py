import argparse
import contextlib
import io
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

from chatflow_infra import check as checks
from chatflow_infra.check.registry import CHECKS, NEEDS, QUICK, USUAL, Check
from chatflow_infra.common import Problem, Skipped


def chosen(**options):
    return [c.name for c in checks.chosen_checks(argparse.Namespace(**dict(dict(only=None, quick=False, long=False), **options)))]


class ListTest(unittest.TestCase):
    def test_every_check_says_what_it_promises_needs_and_takes(self):
        names = [c.name for c in CHECKS]
        self.assertEqual(len(names), len(set(names)))
        for c in CHECKS:
            self.assertTrue(c.promise and c.seconds > 0, c.name)
            self.assertLessEqual({*c.needs, *c.wants}, set(NEEDS), c.name)
            self.assertIn(c.beside, [None, *names])

    def test_quick_is_a_part_of_the_usual_run_and_that_of_the_long_one(self):
        quick, usual, longest = chosen(quick=True), chosen(), chosen(long=True)
        self.assertLess(set(quick), set(usual))
        self.assertLess(set(usual), set(longest))
        self.assertEqual({c.name for c in CHECKS}, set(longest))
        self.assertLess({"build", "load"}, set(quick))

    def test_named_checks_run_however_long_they_are_and_an_unknown_name_is_told(self):
        self.assertIn("aws-moto", chosen(only=["aws-*"]))
        with self.assertRaisesRegex(ValueError, "no check nothing"):
            chosen(only=["heap", "nothing"])


class VerdictTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        for patch in (mock.patch.object(checks, "LOGS", Path(place.name)), mock.patch.object(checks, "ROOT", Path(place.name))):
            patch.start()
            self.addCleanup(patch.stop)

    def judged(self, *runs):
        """(verdicts, what stood on the screen)."""
        session, screen = checks.Session(USUAL), io.StringIO()
        with session.site, contextlib.redirect_stdout(screen):
            checks.run_all(session, [Check(f"check-{i}", "a promise", 1, **how) for i, how in enumerate(runs)])
        return [verdict for verdict, _ in session.verdicts], screen.getvalue()

    def test_a_check_passes_fails_is_skipped_or_breaks_and_the_others_still_run(self):
        def ends(with_what):
            def run(run):
                run.say("some output")
                raise with_what
            return dict(run=run)
        verdicts, screen = self.judged(ends(Problem("7 lost")), ends(Skipped("no lamp")), ends(KeyError("oops")), dict(run=lambda run: "8 rows"))
        self.assertEqual(["FAIL", "SKIPPED", "FAIL", "PASS"], verdicts)
        for line in ("    some output\n    7 lost\n", "FAIL     check-0: a promise (0 s)", "SKIPPED  check-1: a promise (no lamp)",
                     "KeyError", "PASS     check-3: a promise (8 rows, 0 s)"):
            self.assertIn(line, screen)

    def test_what_the_machine_lacks_is_told_and_nothing_run(self):
        with mock.patch.dict(NEEDS, lamp=checks.registry.Need("package lamp is not installed", lambda: False)):
            verdicts, screen = self.judged(dict(run=lambda run: self.fail("it ran"), needs=("lamp",)))
        self.assertEqual((["SKIPPED"], "SKIPPED  check-0: a promise (package lamp is not installed)\n"), (verdicts, screen))

    def test_checks_beside_each_other_meet(self):
        both = threading.Barrier(2, timeout=60)
        verdicts, _ = self.judged(dict(run=lambda run: both.wait() and None), dict(run=lambda run: both.wait() and None, beside="check-0"))
        self.assertEqual(["PASS", "PASS"], verdicts)

    def test_what_is_shared_is_made_once_and_its_trouble_is_everybodys(self):
        session, made = checks.Session(QUICK), []
        with session.site:
            self.assertEqual([1, 1], [session.share("one", lambda: made.append(0) or len(made)) for _ in range(2)])
            for _ in range(2):
                with self.assertRaises(Skipped):
                    session.share("other", lambda: made.append(0) or (_ for _ in ()).throw(Skipped("no broker")))
        self.assertEqual(2, len(made))


class InstallTest(unittest.TestCase):
    def test_a_quick_run_brings_what_is_needed_and_not_what_is_wanted(self):
        lamp, oil = (checks.registry.Need(f"no {name}", lambda: False, name) for name in ("lamp", "oil"))
        with mock.patch.dict(NEEDS, lamp=lamp, oil=oil), mock.patch.object(checks.os, "geteuid", return_value=1000):
            for mode, packages in ((QUICK, "lamp"), (USUAL, "lamp oil")):
                screen = io.StringIO()
                with contextlib.redirect_stdout(screen):
                    checks.install([Check("one", "a promise", 1, None, needs=("lamp",), wants=("oil",))], mode)
                self.assertEqual(f"not installed, and this is not root on Debian: {packages}\n", screen.getvalue())


if __name__ == "__main__":
    unittest.main()
