import contextlib
import io
import re
import threading
import types
import unittest

from chatflow_infra import bench
from chatflow_infra.bench import beside, measured
from chatflow_infra.common import LAUNCHER, ROOT, Problem

CLIENT_TEXT = (ROOT / "client/src/test/resources/golden/closed.txt").read_text(encoding="utf-8")
COST = re.search(r"printf '(%s: %s s of CPU .*)\\n'", LAUNCHER.read_text(encoding="utf-8"))[1]


def cost(program, seconds):
    """The launcher's own line."""
    return COST % (program, seconds, "4.0", "", "256") + "\n"


class AuditTest(unittest.TestCase):
    def test_window_and_cpu_are_those_that_client_and_launcher_print(self):
        text = CLIENT_TEXT + cost("server", "26.9")
        self.assertEqual(dict(seconds=0.1, server=26.9, audit=0.0), beside.told(text, is_audited=False))
        self.assertEqual(dict(seconds=0.1, server=26.9, audit=4.9), beside.told(text + cost("consumer", "4.9"), is_audited=True))

    def test_what_is_not_said_is_no_zero(self):
        for text, is_audited in ((cost("server", "26.9"), False), (CLIENT_TEXT, False), (CLIENT_TEXT + cost("server", "26.9"), True)):
            with self.assertRaisesRegex(Problem, "does not say"):
                beside.told(text, is_audited)


class OptionsTest(unittest.TestCase):
    def test_docs_is_for_those_whose_figures_have_a_place_there(self):
        pages = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("performance.md", "scaling.md", "record.md"))
        for kind in bench.KINDS:
            has_place = re.search(rf"<!-- bench {kind}(-\w+)? -->", pages) is not None
            with contextlib.redirect_stderr(io.StringIO()) as told:
                try:
                    bench.parsed(kind, ["--docs"])
                except SystemExit:
                    self.assertFalse(has_place, kind)
                    self.assertIn("unrecognized arguments: --docs", told.getvalue())
                else:
                    self.assertTrue(has_place, kind)


class SamplerTest(unittest.TestCase):
    def test_nobody_looks_on_after_a_run_without_a_result(self):
        def fails(*_, **__):
            raise Problem("the load client ended with 5")

        server = types.SimpleNamespace(metrics=dict, pid=None, chat="ws://127.0.0.1:1/chat")
        site = types.SimpleNamespace(load=fails)
        before = threading.active_count()
        with self.assertRaisesRegex(Problem, "ended with 5"):
            measured.run_client(site, server, None, [])
        self.assertEqual(before, threading.active_count())


if __name__ == "__main__":
    unittest.main()
