import re
import unittest

from chatflow_infra.bench import hosts, measured, model, scaling
from chatflow_infra.common import ROOT

BEFORE = {'chatflow_messages_total{direction="in",peer="client",server_id="a"}': 10.0,
          'chatflow_log_lag_seconds_bucket{server_id="a",le="0.01"}': 5.0}
AFTER = {'chatflow_messages_total{direction="in",peer="client",server_id="a"}': 60.0,
         'chatflow_messages_total{direction="in",peer="client",server_id="b"}': 50.0,
         'chatflow_messages_total{direction="in",peer="broker",server_id="b"}': 900.0,
         'chatflow_log_lag_seconds_bucket{server_id="a",le="0.01"}': 104.0,
         'chatflow_log_lag_seconds_bucket{server_id="b",le="0.01"}': 98.0,
         'chatflow_log_lag_seconds_bucket{server_id="a",le="0.1"}': 105.0,
         'chatflow_log_lag_seconds_bucket{server_id="b",le="0.1"}': 100.0}


def row(servers, affinity, message, ratio=1.0, consume=2.0):
    return dict(servers=servers, affinity=affinity, message=message, ratio=ratio, publish=5.0, consume=consume, deliver=8.0)


class HostsTest(unittest.TestCase):
    def test_no_row_comes_after_one_whose_servers_have_read_more(self):
        self.assertEqual([(4, "on"), (2, "on"), (1, "on"), (2, "off"), (4, "off")], hosts.in_order([1, 2, 4]))

    def test_between_rounds_it_waits_longer_than_a_server_reads_what_nobody_uses(self):
        config = (ROOT / "consumer-lib/src/main/java/dev/chatflow/log/ReaderConfig.java").read_text(encoding="utf-8")
        minutes = int(re.search(r"LINGER = Duration\.ofMinutes\((\d+)\)", config)[1])
        self.assertGreater(hosts.LINGER_SECONDS, 60 * minutes)


class ModelTest(unittest.TestCase):
    def test_round_robin_costs_the_consumes_of_the_other_servers_more(self):
        self.assertEqual(1, model.expected(1, 1, 20, 2))
        self.assertAlmostEqual(4 * 20 / 26, model.expected(4, 4, 20, 2))

    def test_affinity_is_expected_at_the_number_of_servers_and_round_robin_below_what_affinity_did(self):
        rows = [row(1, "on", 22), row(2, "on", 20, ratio=2.2), row(2, "off", 99, consume=4.0)]
        said = model.fill(rows)
        self.assertEqual([1, 2], [one["expected"] for one in rows[:2]])
        self.assertAlmostEqual(2.2 * 20 / 22, rows[2]["expected"])
        self.assertIn("1 affinity 22.0 = publish 5.0 + consume 2.0 + deliver 8.0 + rest 7.0; 2 affinity 20.0", said)

    def test_without_the_row_beside_it_there_is_no_expectation(self):
        rows = [row(4, "off", 50)]
        model.fill(rows)
        self.assertIsNone(rows[0]["expected"])


class ScalingTest(unittest.TestCase):
    def test_costs_are_of_all_servers_together(self):
        told = scaling.further(dict(counts=dict(deliveries=5000)), dict(server=0.002, broker=0.001, balancer=0.005), BEFORE, AFTER)
        self.assertAlmostEqual(20, told["message"])
        self.assertAlmostEqual(10, told["broker_message"])
        self.assertAlmostEqual(1, told["balancer"])
        self.assertEqual(100, told["lag"])
        self.assertEqual(0, told["confirm"])

    def test_a_mean_is_of_all_servers_together_and_of_the_run_alone(self):
        before = {'f_sum{server_id="a"}': 100.0, 'f_count{server_id="a"}': 50.0}
        after = {'f_sum{server_id="a"}': 130.0, 'f_count{server_id="a"}': 55.0, 'f_sum{server_id="b"}': 20.0,
                 'f_count{server_id="b"}': 5.0}
        self.assertEqual(5, scaling.mean("f", before, after))

    def test_a_quantile_is_of_all_servers_together_and_of_the_run_alone(self):
        self.assertEqual(0.01, measured.histogram_quantile("chatflow_log_lag_seconds", BEFORE, AFTER, 0.9))

    def test_shares_are_per_cent_of_each_ones_own(self):
        used = scaling.shares_used(dict(server=0.36, broker=0.27, client=0.35), 2, 0.2, dict(broker=0.3, client=0.7))
        self.assertEqual((90, 90, 50), tuple(round(used[name]) for name in ("server_share", "broker_share", "client_share")))
        self.assertEqual({}, scaling.shares_used(dict(server=1, broker=1, client=1), 2, None, {}))

    def test_who_was_near_its_share_stands_in_the_verdict(self):
        self.assertEqual("exact, broker near its share",
                         scaling.judged(dict(verdict="exact", broker_share=81, client_share=79)))
        self.assertEqual("exact", scaling.judged(dict(verdict="exact")))

    def test_one_server_has_no_round_robin(self):
        self.assertEqual([("direct", "on")], scaling.cases("quota", 1))
        self.assertEqual([("direct", "on"), ("direct", "off")], scaling.cases("free", 4))
        self.assertEqual(["haproxy"] * 2, [way for way, _ in scaling.cases("balancer", 4)])

    def test_roles_are_of_all_servers_together(self):
        self.assertEqual(dict(publish=1.5, consume=0, deliver=2),
                         scaling.by_role({"server0/publish": 1, "server1/publish": 2, "server0/deliver": 4}, 2_000_000))


if __name__ == "__main__":
    unittest.main()
