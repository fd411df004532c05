import contextlib
import io
import json
import re
import threading
import types
import unittest

from chatflow_infra import bench
from chatflow_infra.bench import measured, tables, whole
from chatflow_infra.common import LAUNCHER, ROOT, Problem

CLIENT_TEXT = (ROOT / "client/src/test/resources/golden/closed.txt").read_text(encoding="utf-8")
COST = re.search(r"printf '(%s: %s s of CPU .*)\\n'", LAUNCHER.read_text(encoding="utf-8"))[1]


def cost(program, seconds):
    """The launcher's own line."""
    return COST % (program, seconds, "4.0", "", "256") + "\n"


class OptionsTest(unittest.TestCase):
    def test_docs_is_for_those_whose_figures_have_a_place_there(self):
        pages = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("performance.md", "scaling.md", "record.md", "scale.md", "results/README.md"))
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


class WholePathTest(unittest.TestCase):
    def test_runs_are_named_by_how_warm_the_server_is(self):
        for runs, wanted in ((0, ["cold"]), (1, ["cold", "warm"]), (3, ["cold", "warm", "warm 2", "warm 3"])):
            self.assertEqual(wanted, whole.runs(runs))


class TablesTest(unittest.TestCase):
    def setUp(self):
        self.all = tables.read(tables.FILE.read_text(encoding="utf-8"))

    def test_every_table_has_a_place_in_the_results(self):
        page = tables.DOCUMENT.read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"<!-- bench tables-(\w+) -->", page), list(self.all))

    def test_a_row_speaks_to_client_or_servers(self):
        row = {"servers": 2, "way": "direct", "CHATFLOW_PREFETCH": "64", "size": "25x4", "rate": "100", "cores": "1"}
        self.assertEqual(["--rooms", "25", "--room-size", "4", "--rate", "100"], tables.client_options(row))
        self.assertEqual(("CHATFLOW_PREFETCH=64",), tables.server_settings(row))

    def test_servers_are_named_in_capitals_as_the_configuration_has_them(self):
        keys = set(re.findall(r"`(CHATFLOW_\w+)`", (ROOT / "docs/configuration.md").read_text(encoding="utf-8")))
        for table in self.all.values():
            self.assertLessEqual({axis for axis in table.axes if axis.isupper()}, keys, table.name)

    def test_where_nobody_listens_the_answer_stands_for_a_delivery(self):
        def stored(name):
            return json.loads((ROOT / f"client/src/test/resources/stored/{name}/summary.json").read_text(encoding="utf-8"))

        posts, chat = (tables.figures_of(stored(name), 2.0) for name in ("skier", "open"))
        self.assertEqual(0, posts["deliveries"])
        self.assertGreater(posts["p99"], posts["p50"])
        self.assertAlmostEqual(2e6 / stored("skier")["counts"]["accepted"], posts["server"])
        self.assertAlmostEqual(2e6 / stored("open")["counts"]["textDeliveries"], chat["server"])
        self.assertEqual("exact", chat["verdict"])

    def test_every_figure_of_theirs_belongs_to_a_row(self):
        self.assertEqual(14, len(self.all["pool"].rows))
        self.assertEqual("2054", self.all["pool"].theirs[-1])
        for wrong in ("x | 1 | direct | rate=1,2 | | why | ms: 1", "x | 1 | direct"):
            with self.assertRaises(Problem):
                tables.read(wrong)


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
