import os
import unittest

from harness import model, programs, scaling

BEFORE = {'chatflow_messages_total{direction="in",peer="client",server_id="a"}': 10.0,
          'chatflow_consumer_lag_seconds_bucket{server_id="a",le="0.01"}': 5.0}
AFTER = {'chatflow_messages_total{direction="in",peer="client",server_id="a"}': 60.0,
         'chatflow_messages_total{direction="in",peer="client",server_id="b"}': 50.0,
         'chatflow_messages_total{direction="in",peer="broker",server_id="b"}': 900.0,
         'chatflow_consumer_lag_seconds_bucket{server_id="a",le="0.01"}': 104.0,
         'chatflow_consumer_lag_seconds_bucket{server_id="b",le="0.01"}': 98.0,
         'chatflow_consumer_lag_seconds_bucket{server_id="a",le="0.1"}': 105.0,
         'chatflow_consumer_lag_seconds_bucket{server_id="b",le="0.1"}': 100.0}


def row(servers, affinity, members, message):
    return dict(servers=servers, affinity=affinity, members=members, message=message)


class ModelTest(unittest.TestCase):
    def test_three_rows_tell_the_three_costs(self):
        publish, consume, delivery = model.costs(one=6 + 4 + 50 * 0.5, one_small=6 + 4 + 10 * 0.5,
                                                 two_small=6 + 2 * 4 + 10 * 0.5, members=50, few=10)
        self.assertAlmostEqual(6, publish)
        self.assertAlmostEqual(4, consume)
        self.assertAlmostEqual(0.5, delivery)

    def test_every_server_consumes_every_message(self):
        self.assertEqual(1, model.expected(1, 6, 4, 0.5, 50))
        self.assertAlmostEqual(4 * 35 / (6 + 4 * 4 + 25), model.expected(4, 6, 4, 0.5, 50))

    def test_round_robin_is_expected_below_and_affinity_at_the_number_of_servers(self):
        rows = [row(1, "on", 50, 35), row(2, "on", 50, 30), row(2, "off", 50, 99), row(1, "on", 10, 15), row(2, "off", 10, 19)]
        said = model.fill(rows, scaling.USUAL, scaling.SMALL)
        self.assertEqual(2, rows[1]["expected"])
        self.assertAlmostEqual(2 * 35 / 39, rows[2]["expected"])
        self.assertIn("6.0 µs to publish a message, 4.0 µs to consume it", said)

    def test_without_the_rows_it_needs_there_is_none(self):
        rows = [row(1, "on", 50, 35), row(4, "off", 50, 50)]
        self.assertIn("No model", model.fill(rows, scaling.USUAL, scaling.SMALL))
        self.assertIsNone(rows[1]["expected"])


class BallastTest(unittest.TestCase):
    def test_without_quotas_there_is_none(self):
        ballast = scaling.Ballast(range(1, 4), None)
        self.assertEqual({}, ballast.pids())
        ballast.end()

    @unittest.skipUnless(os.geteuid() == 0, "quotas need root")
    def test_each_missing_server_has_one_and_all_end(self):
        try:
            ballast = scaling.Ballast(range(2, 4), 0.2)
        except scaling.cluster_module().quota.QuotaError as e:
            self.skipTest(str(e))
        pids = ballast.pids()
        self.assertEqual(["ballast0", "ballast1"], list(pids))
        ballast.end()
        self.assertFalse(any(os.path.exists(f"/proc/{pid}") for pid in pids.values()))


class ScalingTest(unittest.TestCase):
    def test_costs_are_of_all_servers_together(self):
        told = scaling.further(dict(counts=dict(deliveries=5000), observed=dict(broker=dict(queuePeak=7))),
                               dict(server=0.002, broker=0.001, balancer=0.005), BEFORE, AFTER)
        self.assertAlmostEqual(20, told["message"])
        self.assertAlmostEqual(10, told["broker_message"])
        self.assertAlmostEqual(1, told["balancer"])
        self.assertEqual((7, 100), (told["depth"], told["lag"]))
        self.assertEqual(0, told["confirm"])

    def test_a_mean_is_of_all_servers_together_and_of_the_run_alone(self):
        before = {'f_sum{server_id="a"}': 100.0, 'f_count{server_id="a"}': 50.0}
        after = {'f_sum{server_id="a"}': 130.0, 'f_count{server_id="a"}': 55.0, 'f_sum{server_id="b"}': 20.0,
                 'f_count{server_id="b"}': 5.0}
        self.assertEqual(5, scaling.mean("f", before, after))

    def test_a_quantile_is_of_all_servers_together_and_of_the_run_alone(self):
        self.assertEqual(0.01, programs.histogram_quantile("chatflow_consumer_lag_seconds", BEFORE, AFTER, 0.9))

    def test_shares_are_per_cent_of_each_ones_own(self):
        used = scaling.shares_used(dict(server=0.36, broker=0.27, client=0.35), 2, 0.2, dict(broker=0.3, client=0.7))
        self.assertEqual((90, 90, 50), tuple(round(used[name]) for name in ("server_share", "broker_share", "client_share")))
        self.assertEqual({}, scaling.shares_used(dict(server=1, broker=1, client=1), 2, None, {}))

    def test_who_was_near_its_share_stands_in_the_verdict(self):
        self.assertEqual("exact, broker near its share",
                         scaling.judged(dict(verdict="exact", broker_share=81, client_share=79)))
        self.assertEqual("exact", scaling.judged(dict(verdict="exact")))

    def test_quota_rows_hold_what_the_model_needs(self):
        self.assertEqual([("direct", "on", (20, 50)), ("direct", "on", (20, 10))], scaling.cases("quota", 1))
        self.assertIn(("direct", "off", (20, 10)), scaling.cases("quota", 2))
        self.assertEqual([("direct", "on", (20, 50)), ("direct", "off", (20, 50))], scaling.cases("quota", 4))
        self.assertEqual(["haproxy"] * 2, [way for way, *_ in scaling.cases("balancer", 4)])


if __name__ == "__main__":
    unittest.main()
