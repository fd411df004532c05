import unittest

from chatflow_infra.bench import fleet, shards


def row(servers, count, server, broker):
    return dict(servers=servers, shards=count, rest_server=server, rest_broker=broker)


class ExpectedTest(unittest.TestCase):
    def test_prices_that_the_rows_were_made_of_are_found(self):
        rows = [row(n, s, 2 + 0.01 * s + 0.003 * n * s, 0.5 + 0.01 * n * s + 0.002 * n * n * s) for n in (1, 4) for s in (4, 16, 64)]
        said, table = shards.expected(rows)
        self.assertIn("a lane of its own costs a server 400 µs a beacon, one that it reads 120 µs", said)
        self.assertIn("| 64 | 5.71 | 43.51 | 14.93 | 566 |", table)

    def test_of_one_number_of_servers_nothing_is_expected(self):
        self.assertEqual([], shards.expected([row(1, 4, 1, 1), row(1, 16, 1, 1)]))


class FleetTest(unittest.TestCase):
    def test_cpu_is_of_all_servers_and_of_all_nodes_together(self):
        self.assertEqual(dict(server=3, broker=7), fleet.together(dict(server0=1, server1=2, broker1=3, broker2=4, client=9)))
        self.assertEqual(dict(server=1, broker=3), fleet.together(dict(server0=1, broker=3, balancer=2)))


if __name__ == "__main__":
    unittest.main()
