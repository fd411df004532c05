import unittest

from chatflow_infra.bench import figures
from chatflow_infra.common import Problem


def row(value, foreign=0.0, **more):
    return dict(rate=value, foreign=foreign, **more)


class FitTest(unittest.TestCase):
    def test_prices_that_rows_were_made_of_are_found(self):
        counts = [(1, 0.4, 21), (1, 0.3, 12), (1, 0.1, 5), (1, 1, 2)]
        for relative in (False, True):
            found = figures.fitted([(each, 10 * each[0] + 400 * each[1] + 8 * each[2]) for each in counts], relative=relative)
            for wanted, price in zip((10, 400, 8), found):
                self.assertAlmostEqual(wanted, price, places=6)

    def test_no_price_is_below_nothing(self):
        found = figures.fitted([((1, 1), 5), ((1, 2), 11), ((1, 3), 15)], relative=True)
        self.assertEqual(0, found[0])
        self.assertGreater(found[1], 4)

    def test_rows_that_cannot_tell_the_prices_apart_are_refused(self):
        with self.assertRaisesRegex(Problem, "apart"):
            figures.fitted([((1, 2), 5), ((2, 4), 10)], relative=True)


class MedianTest(unittest.TestCase):
    def test_median_of_an_odd_and_an_even_number_of_windows(self):
        self.assertEqual(3, figures.median_row([row(9), row(1), row(3)], ["rate"])["rate"])
        self.assertEqual(2, figures.median_row([row(1), row(3)], ["rate"])["rate"])

    def test_disturbed_windows_are_not_counted(self):
        medians = figures.median_row([row(10), row(1, foreign=0.4), row(12)], ["rate"])
        self.assertEqual(11, medians["rate"])
        self.assertEqual("2/3", medians["windows"])
        self.assertFalse(medians["disturbed"])

    def test_all_windows_count_when_none_is_clean_and_that_is_told(self):
        medians = figures.median_row([row(1, foreign=0.4), row(3, foreign=0.5)], ["rate"])
        self.assertEqual(2, medians["rate"])
        self.assertEqual("0/2", medians["windows"])
        self.assertTrue(medians["disturbed"])

    def test_a_figure_that_no_window_has_is_none(self):
        self.assertIsNone(figures.median_row([row(1)], ["frames"])["frames"])

    def test_a_failure_stays_visible_in_a_disturbed_window(self):
        medians = figures.median_row([row(1, verdict="exact"), row(2, foreign=1, verdict="FAIL")], ["rate"])
        self.assertEqual("FAIL / exact", medians["verdict"])


class RatioTest(unittest.TestCase):
    def test_each_row_is_compared_with_the_base_of_its_own_setting(self):
        rows = [dict(window=1, variant="direct", rate=10), dict(window=1, variant="naive", rate=2),
                dict(window=16, variant="direct", rate=60), dict(window=16, variant="naive", rate=3)]
        figures.add_ratios(rows, "rate", lambda r: r["variant"] == "naive", ["window"])
        self.assertEqual([5, 1, 20, 1], [r["ratio"] for r in rows])

    def test_without_a_base_there_is_no_ratio(self):
        rows = [dict(window=1, variant="direct", rate=10)]
        figures.add_ratios(rows, "rate", lambda r: r["variant"] == "naive", ["window"])
        self.assertIsNone(rows[0]["ratio"])
        self.assertIsNone(figures.ratio(1, 0))


class TableTest(unittest.TestCase):
    def test_figures_are_shown_with_as_many_digits_as_tell_something(self):
        values = (1234567.8, 123.4, 7, 2.5, 0.16, 0.016, None, "exact")
        self.assertEqual(["1,234,568", "123", "7", "2.50", "0.16", "0.016", "-", "exact"],
                         [figures.shown(value) for value in values])

    def test_a_table_has_a_title_a_rule_and_a_line_a_row(self):
        text = figures.table([("a", "A"), ("b", "B µs")], [dict(a=1, b="x"), dict(a=2)])
        self.assertEqual("| A | B µs |\n|---|---|\n| 1 | x |\n| 2 | - |", text)


if __name__ == "__main__":
    unittest.main()
