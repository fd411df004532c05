import unittest
import xml.etree.ElementTree as xml

from harness import svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(chart):
    return [element.text for element in xml.fromstring(chart).iter(SVG + "text")]


class SvgTest(unittest.TestCase):
    def test_a_scale_ends_at_a_round_number(self):
        self.assertEqual([1, 2, 2.5, 5, 10, 0.5, 10_000_000],
                         [svg.nice_ceiling(v) for v in (0.6, 1.2, 2.1, 2.6, 7, 0.41, 7_800_000)])
        self.assertEqual(1, svg.nice_ceiling(0))

    def test_numbers_are_short(self):
        self.assertEqual(["7.8M", "20k", "0.16"], [svg.number(v) for v in (7_800_000, 20_000, 0.16)])

    def test_bars_name_their_axes_groups_and_series(self):
        chart = svg.bars("Rate", "deliveries/s", "window", [("1", dict(direct=2e6, naive=2e5)), ("16", dict(direct=7e6))])
        shown = texts(chart)
        for expected in ("Rate", "deliveries/s", "window", "1", "16", "direct", "naive", "7M", "10M"):
            self.assertIn(expected, shown)

    def test_the_height_of_a_bar_is_its_value(self):
        chart = svg.bars("t", "u", "x", [("a", dict(s=5.0)), ("b", dict(s=10.0))])
        heights = [float(r.get("height")) for r in xml.fromstring(chart).iter(SVG + "rect") if r.get("height")][1:]
        bars = [h for h in heights if h != 11]
        full = svg.HEIGHT - svg.TOP - svg.BOTTOM
        self.assertEqual([full / 2, full], bars)

    def test_a_value_that_was_not_measured_has_no_bar(self):
        self.assertNotIn("None", svg.bars("t", "u", "x", [("a", dict(s=None, r=1.0))]))

    def test_lines_show_every_point(self):
        chart = svg.lines("p99", "ms", "messages/s", {"RabbitMQ": [(1000, 8.0), (2000, 20.0)], "embedded": [(1000, 4.0)]})
        self.assertEqual(3, len(list(xml.fromstring(chart).iter(SVG + "circle"))))
        self.assertIn("messages/s", texts(chart))

    def test_names_are_escaped(self):
        self.assertIn("a<b & c", texts(svg.bars("a<b & c", "u", "x", [("1", dict(s=1.0))])))


if __name__ == "__main__":
    unittest.main()
