import http.server
import io
import json
import os
import tempfile
import threading
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

from chatflow_infra import broker_charts as charts
from chatflow_infra.common import Problem


def details(*values):
    """As the broker gives them: newest first, five seconds apart, in ms."""
    return {"samples": [{"timestamp": 5_000 * n, "sample": v} for n, v in reversed(list(enumerate(values)))]}


QUEUES = [
    {"name": "reader.queue.0", "type": "classic", "consumers": 1, "messages_ready_details": details(0, 2, 0),
     "messages_unacknowledged_details": details(0, 17, 0), "messages_details": details(0, 19, 0)},
    {"name": "reader.queue.1", "type": "classic", "messages_ready_details": details(0, 1, 0), "messages_unacknowledged_details": [],
     "messages_details": details(0, 1, 0)},
    {"name": "chat.log.0", "type": "stream", "consumers": 2, "messages_ready_details": details(0, 5000, 9000),
     "messages_unacknowledged_details": details(0, 0, 0), "messages_details": details(0, 5000, 9000)},
]
OVERVIEW = {
    "message_stats": {"publish_details": details(0, 500, 1500), "confirm_details": details(0, 500, 1500),
                      "deliver_details": details(0, 1000, 3000), "ack_details": details(0, 1000, 3000)},
}
ANSWERS = {
    "/api/overview": OVERVIEW,
    "/api/vhosts/%2F/connections": [{"name": "127.0.0.1:1 -> 127.0.0.1:2", "user_provided_name": "chatflow server-1 publisher"}],
    "/api/vhosts/%2F/channels": [{"number": 1, "confirm": True, "connection_details": {"name": "127.0.0.1:1 -> 127.0.0.1:2"}},
                                    {"connection_details": [], "prefetch_count": 64, "messages_unacknowledged": 71}],
    "/api/queues/%2F": QUEUES,
}


class Answering(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        allowed = self.headers["Authorization"] == "Basic bW9uaXRvcjpzZWNyZXQ="
        answer = ANSWERS.get(self.path.split("?")[0])
        self.send_response(200 if allowed and answer is not None else 401)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


class ChartsTest(unittest.TestCase):
    def test_levels_are_of_all_queues_but_logs_and_come_oldest_first(self):
        ready = charts.levels(QUEUES, charts.QUEUED)["ready"]
        self.assertEqual([(0, 0), (5, 3), (10, 0)], ready)

    def test_rates_are_differences_of_counters_per_second(self):
        rates = charts.rates(OVERVIEW["message_stats"], charts.RATES)
        self.assertEqual([(5, 100), (10, 200)], rates["publish"])
        self.assertEqual([(5, 200), (10, 400)], rates["deliver"])
        self.assertEqual([], rates["redeliver"])

    def test_a_counter_that_restarts_is_no_negative_rate(self):
        self.assertEqual([(5, 0)], charts.rates({"ack_details": details(700, 10)}, [("ack", "ack")])["ack"])

    def test_table_has_a_row_for_each_sample(self):
        rows = list(charts.table(charts.levels(QUEUES, charts.QUEUED)))
        self.assertEqual([["second", "ready", "unacked", "total"], [0, 0, 0, 0], [5, 3, 17, 20], [10, 0, 0, 0]], rows)

    def test_a_broker_without_samples_is_told(self):
        for nothing in ({}, {"message_stats": []}):
            with self.subTest(nothing), tempfile.TemporaryDirectory() as directory:
                with self.assertRaisesRegex(Problem, "no samples"):
                    charts.draw(nothing, [{"type": "classic", "messages_details": []}], directory)


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.server.asked = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def drawn(self, directory, password):
        """(what main returns, what it printed)."""
        said = io.StringIO()
        with mock.patch.dict(os.environ, RABBITMQ_PASSWORD=password), redirect_stdout(said):
            status = charts.main([directory, "--url", f"http://127.0.0.1:{self.server.server_port}", "--user", "monitor", "--last", "30"])
        return status, said.getvalue()

    def test_writes_charts_table_and_names(self):
        with tempfile.TemporaryDirectory() as directory:
            status, said = self.drawn(directory, "secret")
            self.assertEqual(0, status, said)
            self.assertEqual({"queued.svg", "rates.svg", "charts.csv", "names.txt"}, {p.name for p in Path(directory).iterdir()})
            self.assertIn("publish (peak 200)", Path(directory, "rates.svg").read_text())
            self.assertEqual(
                "channel     (closed) (-)  prefetch 64, 71 unacknowledged\n"
                "channel     chatflow server-1 publisher (1)  publishes with confirms\n"
                "connection  chatflow server-1 publisher\n"
                "log         chat.log.0  2 consumers\n"
                "queue       reader.queue.0  1 consumers\n"
                "queue       reader.queue.1  0 consumers\n", Path(directory, "names.txt").read_text())
        for asked in self.server.asked[:2]:
            self.assertIn("lengths_age=30&lengths_incr=5&msg_rates_age=30&msg_rates_incr=5", asked)

    def test_a_refused_user_is_one_line(self):
        with tempfile.TemporaryDirectory() as directory:
            status, _ = self.drawn(directory, "wrong")
        self.assertRegex(status, r"^charts: http://127.0.0.1:\d+/.*: 401[^\n]*$")


if __name__ == "__main__":
    unittest.main()
