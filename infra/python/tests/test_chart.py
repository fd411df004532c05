import itertools
import unittest
import xml.etree.ElementTree as xml

from chatflow_infra import chart

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return ["".join(element.itertext()) for element in xml.fromstring(picture).iter(SVG + "text")]


def bars_of(picture):
    return [r for r in xml.fromstring(picture).iter(SVG + "rect") if r.find(SVG + "title") is not None]


class AxisTest(unittest.TestCase):
    def test_it_ends_at_a_round_number_above_the_highest_value(self):
        self.assertEqual([(100, 20), (100, 20), (1_500_000, 500_000), (1, 0.2)], [chart.axis(v) for v in (97, 100, 1_304_740, 0)])

    def test_numbers_are_short_and_of_one_kind_on_an_axis(self):
        self.assertEqual(["7.8M", "26.1k", "2000", "0.25"], [chart.number(v) for v in (7_800_000, 26_100, 2000, 0.25)])
        self.assertEqual(["0", "0.5M", "1M"], [chart.number(v, 1e6) for v in (0, 5e5, 1e6)])

    def test_time_is_told_as_people_count_it(self):
        self.assertEqual(["0", "15 s", "90 s", "2 min", "1:30"],
                         [chart.time_label(*v) for v in ((0, 60), (15, 60), (90, 120), (120, 600), (90, 600))])


class BarsTest(unittest.TestCase):
    GROUPS = [("1 server", dict(direct=2e6, naive=2e5)), ("4 servers", dict(direct=7e6, naive=None))]

    def test_axes_groups_and_series_are_named(self):
        shown = texts(chart.bars("Rate", "deliveries/s", self.GROUPS))
        for expected in ("Ratedeliveries/s", "1 server", "4 servers", "direct", "naive", "7M", "8M"):
            self.assertIn(expected, shown)

    def test_the_height_of_a_bar_is_its_value(self):
        heights = [float(bar.get("height")) for bar in bars_of(chart.bars("t", "u", [("a", dict(s=5)), ("b", dict(s=10))]))]
        for height, part in zip(heights, (5, 10)):
            self.assertAlmostEqual(chart.PLOT * part / 15, height, delta=0.1)  # of an axis to 15

    def test_a_value_that_was_not_measured_has_no_bar(self):
        self.assertEqual(3, len(bars_of(chart.bars("t", "u", self.GROUPS))))

    def test_nothing_measured_is_no_picture_and_nothing_but_zeros_says_so(self):
        self.assertIsNone(chart.bars("t", "u", [("a", dict(s=None))]))
        self.assertIsNone(chart.lines("t", "u", {"a": []}))
        self.assertIn("all 0", texts(chart.bars("t", "u", [("a", dict(s=0))])))

    def test_no_text_meets_another_one(self):
        groups = [(f"a group with a long name {n}", {f"series {s} of many": 1234567.8 * (n + s + 1) for s in range(6)}) for n in range(8)]
        placed = []
        for text in xml.fromstring(chart.bars("Title", "unit", groups)).iter(SVG + "text"):
            if "title" not in text.get("class"):
                x, wide = float(text.get("x")), chart.CHARACTER * len("".join(text.itertext()))
                start = x - wide / 2 if "middle" in text.get("class") else x - wide if "end" in text.get("class") else x
                placed.append((start, start + wide, float(text.get("y")), "".join(text.itertext())))
        for one, two in itertools.combinations(placed, 2):
            self.assertFalse(abs(one[2] - two[2]) < 11 and one[0] < two[1] and two[0] < one[1], (one, two))

    def test_what_others_wrote_is_escaped(self):
        self.assertIn("a<b & c", texts(chart.bars("t", "u", [("a<b & c", dict(s=1.0))])))


class LinesTest(unittest.TestCase):
    def test_ticks_are_round_and_lines_stay_inside_their_frame(self):
        picture = chart.lines("T", "u", {"a": [(0, 0), (60, 10)], "b": []})
        shown = texts(picture)
        for expected in ("a (peak 10)", "b (peak 0)", "10 s", "50 s", "60 s"):
            self.assertIn(expected, shown)
        line, = xml.fromstring(picture).iter(SVG + "polyline")
        points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        self.assertEqual([(chart.LEFT, chart.RIGHT), chart.PLOT], [(points[0][0], points[1][0]), points[0][1] - points[1][1]])

    def test_two_equal_lines_have_different_looks(self):
        looks = [line.get("class") for line in xml.fromstring(
            chart.lines("T", "u", {"unacked": [(0, 5), (5, 5)], "total": [(0, 5), (5, 5)]})).iter(SVG + "polyline")]
        self.assertEqual(2, len(set(looks)))

    def test_colours_are_the_style_sheets_for_light_dark_and_paper(self):
        picture = chart.lines("T", "u", {"a": [(0, 1), (5, 2)]})
        self.assertIn("prefers-color-scheme:dark", picture)
        self.assertIn("@media print", picture)
        self.assertNotIn("#", picture.split("</style>")[1])


if __name__ == "__main__":
    unittest.main()
