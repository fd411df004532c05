import unittest
from dataclasses import replace
from unittest import mock

from chatflow_infra.bench import many, scale
from chatflow_infra.common import Problem

TOLD = {"in": 102, "heard": 306, "missing": 0, "repeated": 0, "resumed": 100, "notResumed": 0, "caughtUp": 200, "exact": True}


class MeasuredTest(unittest.TestCase):
    """The model against the tables in docs: within a fifth, else it may not be used for what was never measured."""

    PRICES = scale.costs()

    def near(self, measured, modelled, name):
        self.assertLess(abs(modelled - measured) / measured, 0.2, f"{name}: measured {measured:.4g}, model {modelled:.4g}")

    def test_rows_that_it_is_made_of(self):
        for row in scale.rate_rows() + scale.reader_rows():
            self.near(row.server, self.PRICES.server(row), f"server, {row.name}")
            self.near(row.broker, self.PRICES.broker(row), f"broker, {row.name}")

    def test_a_burst_that_it_has_not_seen(self):
        flight = scale.said(scale.PERFORMANCE, r"smaller, (\d+) messages each in place of")
        each = next(row for row in scale.table(scale.PERFORMANCE, "path-rabbitmq") if row["sink"] == "direct" and row["run"] == "warm")
        row = scale.Row("burst", 1 / flight, 50 / each["frames/write"], 50 * each["server µs"], 50 * each["broker µs"])
        self.near(row.server, self.PRICES.server(row), "server")

    def test_many_connections_to_which_little_is_said(self):
        each = next(row for row in scale.table(scale.SCALE, "many") if row["server"] == "launcher")
        rooms = each["connections"] / many.MEMBERS
        # Their speakers are on another server: this one reads a flight and writes it to all, once in a minute.
        modelled = each["% of a core at rest"] + 100 * rooms / 60 * (self.PRICES.reader + many.MEMBERS * self.PRICES.write) / 1e6
        self.near(each["% of a core, a message a room and minute"], modelled, "percent of a core")


class CrowdTest(unittest.TestCase):
    PRICES = replace(MeasuredTest.PRICES, connections=18_000)
    MILLION = scale.Crowd(1_000_000, 100_000, 1, placed=True)

    def test_reads_of_flights_grow_with_the_servers_alone_where_rooms_are_anywhere(self):
        placed = [scale.need(self.PRICES, self.MILLION, servers, 64).broker_reads for servers in (32, 64)]
        anywhere = [scale.need(self.PRICES, replace(self.MILLION, placed=False), servers, 64).broker_reads for servers in (32, 64)]
        self.assertEqual(placed[0], placed[1])
        self.assertGreater(anywhere[1], 2 * anywhere[0])

    def test_a_server_with_more_shards_than_others_decides(self):
        self.assertEqual(1_000_000 * 2 / 64, scale.need(self.PRICES, self.MILLION, 60, 64).connections)

    def test_what_is_in_the_way_is_named(self):
        self.assertEqual("more servers than shards", scale.smallest(self.PRICES, self.MILLION, 16)[1])
        loud = replace(self.MILLION, per_minute=100_000)
        self.assertIn("CPU", scale.smallest(self.PRICES, loud, 64)[1])

    def test_clusters_divide_people_and_rooms(self):
        count, found, lack = scale.clusters(self.PRICES, replace(self.MILLION, people=10_000_000, rooms=1_000_000), 64)
        self.assertGreaterEqual(count * found.servers * 18_000, 10_000_000)
        self.assertTrue(lack)

    def test_every_row_of_the_page_can_be_worked_out(self):
        self.assertEqual(2 * len(scale.CROWDS) + 1, len(scale.rows(self.PRICES)))


class VerdictTest(unittest.TestCase):
    def test_all_resumed_with_all_they_missed_is_exact(self):
        self.assertEqual("exact", many.verdict(TOLD, 100, 200))

    def test_whatever_lacks_is_no_exact(self):
        for wrong in ({"missing": 1}, {"repeated": 1}, {"notResumed": 1}, {"resumed": 99}, {"caughtUp": 199}, {"exact": False}):
            self.assertIn("FAIL", many.verdict(TOLD | wrong, 100, 200), wrong)


class MinuteTest(unittest.TestCase):
    def test_what_is_said_faster_than_within_a_minute_costs_less_in_one(self):
        self.assertEqual(6, many.a_minute(rest=4, busy=8, seconds=30))
        self.assertEqual(8, many.a_minute(rest=4, busy=8, seconds=60))


class LimitsTest(unittest.TestCase):
    def test_what_the_machine_does_not_allow_is_told_before(self):
        with mock.patch.object(many, "allow_files"), mock.patch.object(many.resource, "getrlimit", return_value=(1024, 1024)):
            with self.assertRaisesRegex(Problem, "ulimit -n"):
                many.check_limits(18_000)
        with mock.patch.object(many, "allow_files"), mock.patch.object(many.resource, "getrlimit", return_value=(10**7, 10**7)):
            with self.assertRaisesRegex(Problem, "ip_local_port_range"):
                many.check_limits(100_000)
            with self.assertRaisesRegex(Problem, "memory"):
                many.check_limits(10_000, pairs=100_000)


if __name__ == "__main__":
    unittest.main()
