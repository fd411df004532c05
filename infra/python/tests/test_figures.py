import unittest

from chatflow_infra.bench import figures


def row(value, foreign=0.0, verdict="exact"):
    return dict(rate=value, foreign=foreign, verdict=verdict)


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
    def test_each_row_is_compared_with_the_first_one_that_has_the_values_of_the_base(self):
        rows = [dict(servers=2, rate=10), dict(servers=1, rate=4), dict(servers=1, rate=8), dict(servers=4, rate=None)]
        figures.add_ratios(rows, "rate", dict(servers=1))
        self.assertEqual([2.5, 1, 2, None], [row["ratio"] for row in rows])

    def test_without_a_base_there_is_no_ratio(self):
        rows = [dict(servers=2, rate=10)]
        figures.add_ratios(rows, "rate", dict(servers=1))
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
