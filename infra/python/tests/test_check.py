import argparse
import contextlib
import io
import json
import tempfile
import threading
import time
import types
import unittest
from pathlib import Path
from unittest import mock

from chatflow_infra import check as checks
from chatflow_infra.check import build, operations, sources
from chatflow_infra.check.registry import CHECKS, NAMED, NEEDS, Check
from chatflow_infra.common import Problem, Skipped


def chosen(**options):
    return [c.name for c in checks.chosen_checks(argparse.Namespace(**dict(dict(only=None, all=False), **options)))]


class ListTest(unittest.TestCase):
    def test_every_check_says_what_it_promises_needs_and_takes(self):
        names = [c.name for c in CHECKS]
        self.assertEqual(len(names), len(set(names)))
        for c in CHECKS:
            self.assertTrue(c.promise and c.seconds > 0, c.name)
            self.assertLessEqual({*c.needs, *c.wants}, set(NEEDS), c.name)

    def test_the_default_run_is_a_part_of_that_of_all_and_what_takes_longest_is_in_neither(self):
        default, everything = chosen(), chosen(all=True)
        self.assertLess(set(default), set(everything))
        self.assertLess({"build", "load"}, set(default))
        self.assertEqual({c.name for c in CHECKS if c.when == NAMED}, {c.name for c in CHECKS} - set(everything))

    def test_the_default_run_prints_at_most_40_lines_when_all_pass(self):
        self.assertLess(len(chosen()), 35)

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
        """Returns (verdicts, screen output)."""
        chosen_ones = [Check(f"check-{i}", "a promise", 1, **how) for i, how in enumerate(runs)]
        session, screen = checks.Session(chosen_ones), io.StringIO()
        with session.site, contextlib.redirect_stdout(screen):
            checks.run_all(session, chosen_ones)
        return session.verdicts, screen.getvalue()

    def test_a_check_passes_fails_is_skipped_or_breaks_and_the_others_still_run(self):
        def ends(with_what):
            def run(run):
                run.say("some output")
                raise with_what
            return dict(run=run)
        verdicts, screen = self.judged(ends(Problem("7 lost")), ends(Skipped("no lamp")), ends(KeyError("oops")), dict(run=lambda run: "8 rows"))
        self.assertEqual(["FAIL", "SKIPPED", "FAIL", "PASS"], verdicts)
        for line in ("    some output\n    7 lost\n    (full log: check-0.log)\n", "FAIL     check-0                 0 s  a promise\n",
                     "SKIPPED  check-1              no lamp\n", "KeyError", "PASS     check-3                 0 s  8 rows\n"):
            self.assertIn(line, screen)

    def test_a_failure_that_names_its_tests_is_shown_without_the_rest_of_the_output(self):
        def run(run):
            run.say("[ERROR] advice of Maven")
            raise Problem("\nRoomTest.join failed\nexpected 1")
        _, screen = self.judged(dict(run=run))
        self.assertIn("    RoomTest.join failed\n    expected 1\n    (full log: check-0.log)\nFAIL ", screen)
        self.assertNotIn("advice", screen)

    def test_what_the_machine_lacks_is_told_and_nothing_run(self):
        with mock.patch.dict(NEEDS, lamp=checks.registry.Need("package lamp is not installed", lambda: False)):
            verdicts, screen = self.judged(dict(run=lambda run: self.fail("it ran"), needs=("lamp",)))
        self.assertEqual((["SKIPPED"], "SKIPPED  check-0              package lamp is not installed\n"), (verdicts, screen))

    def test_one_that_mostly_waits_meets_another(self):
        both = threading.Barrier(2, timeout=60)
        verdicts, _ = self.judged(dict(run=lambda run: both.wait() and None), dict(run=lambda run: both.wait() and None, mostly_waits=True))
        self.assertEqual(["PASS", "PASS"], verdicts)

    def test_those_that_mostly_wait_run_one_after_the_other_beside_all_others(self):
        said, both = [], threading.Barrier(2, timeout=60)
        def waits(name):
            return dict(run=lambda run: (both.wait(), said.append(name)) and None, mostly_waits=True)
        other = dict(run=lambda run: both.wait() and None)
        self.judged(waits("first"), other, other, waits("second"))
        self.assertEqual(["first", "second"], said)

    def test_what_runs_only_when_named_is_alone(self):
        said = []
        def says(name, seconds=0):
            return dict(run=lambda run: (time.sleep(seconds), said.append(name)) and None)
        self.judged(dict(says("measured"), when=NAMED), dict(says("waits", 0.1), mostly_waits=True), says("other"))
        self.assertEqual("measured", said[-1])

    def test_what_uses_the_programs_waits_for_the_build(self):
        said, waits = [], threading.Event()
        def built(run):
            waits.wait(0.1)
            said.append("built")
        with mock.patch.object(checks.Session, "built", lambda session: None), contextlib.redirect_stdout(io.StringIO()):
            session = checks.Session()
            with session.site:
                checks.run_all(session, [
                    Check("faults", "a promise", 1, lambda run: said.append("faults"), uses_programs=True, mostly_waits=True),
                    Check("build", "a promise", 1, built)])
        self.assertEqual(["built", "faults"], said)

    def test_a_release_is_made_before_any_check_runs_the_programs_that_it_builds_again(self):
        with mock.patch.object(checks, "call", lambda *command, **_: called.append(command[1]) or "\n/made.tar.gz, 1 MB"):
            for uses_release, expected in ((True, ["dist"]), (False, ["build"])):
                called = []
                self.judged(dict(run=lambda run: called.append("faults"), uses_programs=True),
                            dict(run=lambda run: uses_release and run.session.release() and None, uses_release=uses_release))
                self.assertEqual([*expected, "faults"], called)

    def test_what_is_shared_is_made_once_and_its_trouble_is_everybodys(self):
        session, made = checks.Session(), []
        with session.site:
            self.assertEqual([1, 1], [session.share("one", lambda: made.append(0) or len(made)) for _ in range(2)])
            for _ in range(2):
                with self.assertRaises(Skipped):
                    session.share("other", lambda: made.append(0) or (_ for _ in ()).throw(Skipped("no broker")))
        self.assertEqual(2, len(made))


class PythonTest(unittest.TestCase):
    SAID = """test_a (tests.test_x.XTest.test_a)
The first line of its text. ... ok
test_b (tests.test_x.YTest.test_b) ... skipped 'package haproxy is not installed'
test_c (tests.test_x.YTest.test_c) ... skipped 'package haproxy is not installed'
test_d (tests.test_x.ZTest.test_d) ... skipped "no quota: 'cpu' is missing"

----------------------------------------------------------------------
Ran 4 tests in 0.123s

OK (skipped=3)
"""

    def told(self, said):
        """Returns (the check's remark, its other output)."""
        session = mock.Mock()
        with mock.patch.object(sources, "call", return_value=said):
            word = sources.python(types.SimpleNamespace(session=session, check="the check", say=lambda text: None))
        return word, [call.args for call in session.add.call_args_list]

    def test_tests_that_were_skipped_are_told_with_their_reasons(self):
        reasons = "3 of its tests: no quota: 'cpu' is missing; package haproxy is not installed"
        self.assertEqual(("ran 4 tests", [("SKIPPED", "the check", reasons)]), self.told(self.SAID))

    def test_nothing_skipped_tells_nothing(self):
        self.assertEqual(("ran 2 tests", []), self.told("test_a (tests.test_x.XTest.test_a) ... ok\n\nRan 2 tests in 0.1s\n\nOK\n"))


class DashboardsTest(unittest.TestCase):
    """A Prometheus with late or missing answers."""

    def prometheus(self, troubles):
        answers = iter(troubles)
        return mock.Mock(trouble=lambda expression: next(answers), rules=lambda: [dict(name="Down", health="ok", query="up == 0")])

    def asked(self, prometheus, looks):
        def wait_until(condition, what, _):
            if not any(condition() for _ in range(looks)):
                raise Problem(f"{what}: never")
        with tempfile.TemporaryDirectory() as place, mock.patch.object(operations, "ROOT", Path(place)), \
                mock.patch.object(operations, "wait_until", wait_until):
            folder = Path(place, "infra/monitoring/dashboards")
            folder.mkdir(parents=True)
            (folder / "chat.json").write_text(json.dumps(dict(panels=[
                dict(id=1, type="stat", title="Rate", targets=[dict(expr="rate(a[1m])"), dict(expr="rate(b[1m])")])])), encoding="utf-8")
            return operations.until_nothing_is_wrong(prometheus)

    def test_data_that_comes_with_a_later_answer_counts(self):
        self.assertEqual(2, self.asked(self.prometheus([None, "no data", None, None, None, None]), 2))

    def test_what_never_comes_is_told_as_it_was_at_last(self):
        with self.assertRaises(Problem) as told:
            self.asked(self.prometheus(["no data"] * 3 + [None, "no data", None]), 2)
        self.assertEqual("data of every expression: never\nchat.json: Rate: no data: rate(b[1m])", str(told.exception))


class InstallTest(unittest.TestCase):
    def test_what_cannot_be_installed_is_named(self):
        lamp, oil = (checks.registry.Need(f"no {name}", lambda: False, name) for name in ("lamp", "oil"))
        screen = io.StringIO()
        with mock.patch.dict(NEEDS, lamp=lamp, oil=oil), mock.patch.object(checks.os, "geteuid", return_value=1000), \
                contextlib.redirect_stdout(screen):
            checks.install([Check("one", "a promise", 1, None, needs=("lamp",), wants=("oil",))])
        self.assertEqual("not installed, and this is not root on Debian: lamp oil\n", screen.getvalue())


class MavenTest(unittest.TestCase):
    SAID = """[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.8 s -- in dev.chatflow.RoomTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in dev.chatflow.LaneTest
[ERROR] Failures:
[ERROR]   LaneTest.isFair:12 expected 1 but was 2
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR]   LaneTest.isFair:12 expected 1 but was 2
"""

    def test_a_failed_test_is_told_once_with_its_message(self):
        self.assertEqual(["Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in dev.chatflow.LaneTest",
                          "Failures:", "  LaneTest.isFair:12 expected 1 but was 2"], build.failures(self.SAID.splitlines()))


if __name__ == "__main__":
    unittest.main()
