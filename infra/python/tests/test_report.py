import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from chatflow_infra.bench import micro, plan, report


def gathered(directory, rows, theirs=()):
    """Returns the files of a report of these windows."""
    data = dict(about="a trial", vary=dict(variant=["b", "a"]), columns=["rate"], theirs=dict(title="theirs", values=list(theirs)) if theirs else {})
    with mock.patch.object(report, "ROOT", Path(directory)), mock.patch("builtins.print"):
        told = report.Report(plan.Plan("trial", data, dict(rate=["rate", "0"])), 2)
        for row in rows:
            told.window(dict(foreign=0, verdict="exact") | row)
        told.medians()
        return told.finish(), told.directory


class ReportTest(unittest.TestCase):
    def test_what_is_between_the_marks_is_replaced_and_nothing_else(self):
        text = "a\n<!-- bench x -->\nold \\1\n<!-- end x -->\nb\n<!-- bench y -->\nkept\n<!-- end y -->\n"
        filled = report.fill(text, "x", "new \\1")
        self.assertEqual("a\n<!-- bench x -->\nnew \\1\n<!-- end x -->\nb\n<!-- bench y -->\nkept\n<!-- end y -->\n", filled)
        self.assertEqual(filled, report.fill(filled, "x", "new \\1"))

    def test_a_document_without_the_marks_is_left_alone(self):
        self.assertIsNone(report.fill("nothing here", "x", "new"))

    def test_medians_go_by_setting_and_files_hold_rows_and_table(self):
        with tempfile.TemporaryDirectory() as directory:
            is_exact, where = gathered(directory, [dict(variant=variant, rate=rate, foreign=foreign) for variant, rate, foreign in
                                                   (("b", 1, 0), ("a", 5, 0), ("b", 3, 0), ("a", 50, 0.9))], theirs=(7, "-"))
            self.assertTrue(is_exact)
            table = (where / "table.md").read_text(encoding="utf-8")
            self.assertIn("a trial, -Xmx256m, 2 rounds.", table)
            self.assertIn("| b | 2 | 7 | 2/2 | exact |\n| a | 5 | - | 1/2 | exact |", table)
            self.assertEqual(4, len(json.loads((where / "rows.json").read_text(encoding="utf-8"))["windows"]))

    def test_a_run_that_was_not_exact_fails_the_benchmark(self):
        with tempfile.TemporaryDirectory() as directory:
            is_exact, _ = gathered(directory, [dict(variant="a", rate=1), dict(variant="a", rate=1, verdict="3 lost")])
            self.assertFalse(is_exact)

    def test_a_result_of_jmh_becomes_a_row(self):
        result = dict(benchmark="dev.chatflow.room.RoomLogBenchmark.append", params=dict(frames="16"),
                      primaryMetric=dict(score=12.5, scoreError="NaN"))
        self.assertEqual(dict(benchmark="RoomLog.append", parameters="frames 16", nanos=12.5, error=None), micro.row(result))


if __name__ == "__main__":
    unittest.main()
