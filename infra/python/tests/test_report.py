import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from chatflow_infra.bench import measured, micro, report

RUN = {
    "counts": {"deliveries": 1_000_000}, "rates": {"windowSeconds": 2.0},
    "latencyMicros": {"delivery": {"service": {"p50": 3000, "p99": 9000}, "response": {"p50": 4000, "p99": 12000}}},
    "client": {"cpuMicrosPerDelivery": 0.2}, "verdict": {"exitCode": 0, "headline": "PASS"},
}
BEFORE = {"chatflow_deliveries_total": 100.0, "chatflow_writes_total": 10.0}
AFTER = {"chatflow_deliveries_total": 1_000_100.0, "chatflow_writes_total": 20_010.0,
         'chatflow_slow_closed_total{reason="deadline"}': 2.0, "jvm_gc_memory_allocated_bytes_total": 64e6,
         'chatflow_e2e_seconds_bucket{le="0.01"}': 980.0, 'chatflow_e2e_seconds_bucket{le="0.05"}': 995.0,
         'chatflow_e2e_seconds_bucket{le="+Inf"}': 1000.0}


class ReportTest(unittest.TestCase):
    def test_what_stands_between_the_marks_is_replaced_and_nothing_else(self):
        text = "a\n<!-- bench x -->\nold \\1\n<!-- end x -->\nb\n<!-- bench y -->\nkept\n<!-- end y -->\n"
        filled = report.fill(text, "x", "new \\1")
        self.assertEqual("a\n<!-- bench x -->\nnew \\1\n<!-- end x -->\nb\n<!-- bench y -->\nkept\n<!-- end y -->\n", filled)
        self.assertEqual(filled, report.fill(filled, "x", "new \\1"))

    def test_a_document_without_the_marks_is_left_alone(self):
        self.assertIsNone(report.fill("nothing here", "x", "new"))

    def test_medians_go_by_setting_and_files_hold_rows_table_and_charts(self):
        with tempfile.TemporaryDirectory() as directory, mock.patch.object(report, "ROOT", Path(directory)), \
                mock.patch("builtins.print"):
            gathered = report.Report("kind", [("variant", "variant"), ("rate", "rate")], "settings")
            for variant, rate, foreign in (("b", 1, 0), ("a", 5, 0), ("b", 3, 0), ("a", 50, 0.9)):
                gathered.window(dict(variant=variant, rate=rate, foreign=foreign))
            gathered.medians(["variant"], ["rate"])
            gathered.chart("chart", "<svg/>")
            self.assertTrue(gathered.finish())
            where = gathered.directory
            self.assertIn("| b | 2 |\n| a | 5 |", (where / "table.md").read_text())
            self.assertEqual(4, len(json.loads((where / "rows.json").read_text())["windows"]))
            self.assertEqual("<svg/>", (where / "chart.svg").read_text())


    def test_a_run_that_was_not_exact_fails_the_benchmark(self):
        with tempfile.TemporaryDirectory() as directory, mock.patch.object(report, "ROOT", Path(directory)), \
                mock.patch("builtins.print"):
            gathered = report.Report("kind", [("rate", "rate")], "settings")
            gathered.window(dict(rate=1, verdict="exact"))
            gathered.window(dict(rate=1, verdict="3 lost"))
            self.assertFalse(gathered.finish())


class RowTest(unittest.TestCase):
    def test_a_run_of_the_client_becomes_a_row(self):
        row = measured.client_row(RUN, dict(server=0.5, broker=0.1), BEFORE, AFTER, dict(lane=7, threads=40))
        self.assertEqual(500_000, row["deliveries"])
        self.assertEqual(50, row["frames"])
        self.assertAlmostEqual(0.5, row["server"])
        self.assertAlmostEqual(0.1, row["broker"])
        self.assertEqual((4, 12), (row["p50"], row["p99"]))
        self.assertEqual(50, row["e2e"])
        self.assertAlmostEqual(64, row["allocated"])
        self.assertEqual((2, 7, 40, "exact"), (row["slow"], row["lane"], row["threads"], row["verdict"]))

    def test_a_failed_run_says_why(self):
        run = dict(RUN, verdict=dict(exitCode=1, headline="3 lost"))
        self.assertEqual("3 lost", measured.client_row(run, dict(server=1), BEFORE, AFTER, {})["verdict"])

    def test_a_saturated_client_is_told_but_has_still_proved_its_deliveries(self):
        self.assertEqual("exact, client saturated", measured.verdict(dict(exitCode=6, headline="SATURATED")))

    def test_a_result_of_jmh_becomes_a_row(self):
        result = dict(benchmark="dev.chatflow.room.RoomLogBenchmark.append", params=dict(frames="16"),
                      primaryMetric=dict(score=12.5, scoreError="NaN"))
        self.assertEqual(dict(benchmark="RoomLog.append", parameters="frames 16", nanos=12.5, error=None), micro.row(result))


if __name__ == "__main__":
    unittest.main()
