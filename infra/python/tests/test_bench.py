import json
import os
import re
import threading
import types
import unittest
from unittest import mock

from chatflow_infra.bench import measured, plan, runner
from chatflow_infra.common import ROOT, Problem

CONFIGURATION = (ROOT / "docs/reference/configuration.md").read_text(encoding="utf-8")


def of(**data):
    return plan.Plan("trial", data, dict(rate=["rate", "1"]))


class FilesTest(unittest.TestCase):
    """Every file of infra/bench."""

    def setUp(self):
        self.all = [plan.read(name) for name in plan.names()]

    def test_every_file_has_a_place_in_its_page_or_says_that_it_has_none(self):
        for each in self.all:
            if each.common["page"]:
                page = (ROOT / "docs" / each.common["page"]).read_text(encoding="utf-8")
                self.assertIn(f"<!-- bench {each.name} -->", page, each.name)

    def test_every_place_in_a_page_has_a_benchmark(self):
        places = {name for page in (ROOT / "docs").rglob("*.md") for name in re.findall(r"(?m)^<!-- bench ([\w-]+) -->", page.read_text(encoding="utf-8"))}
        self.assertLessEqual(places, {*plan.names(), "micro"})

    def test_keys_of_servers_are_in_the_configuration(self):
        for each in self.all:
            for _, setting in each.settings():
                for key in filter(str.isupper, setting):
                    self.assertIn(f"`{key}`", CONFIGURATION, each.name)

    def test_every_figure_of_another_system_belongs_to_a_row(self):
        for each in self.all:
            if each.theirs:
                self.assertEqual(len(list(each.settings())), len(each.theirs["values"]), each.name)

    def test_columns_are_expressions_and_steps_have_names(self):
        for each in self.all:
            for title, expression in each.columns.values():
                compile(expression, title, "eval")
            self.assertTrue(all("name" in step for step in [*each.steps, *each.warm_steps]), each.name)

    def test_the_pause_is_longer_than_a_server_reads_a_shard_that_nobody_uses(self):
        config = (ROOT / "consumer-lib/src/main/java/dev/chatflow/log/ReaderConfig.java").read_text(encoding="utf-8")
        minutes = int(re.search(r"LINGER = Duration\.ofMinutes\((\d+)\)", config)[1])
        self.assertGreater(plan.read("scaling-hosts").common["pause"], 60 * minutes)

    def test_a_name_is_one_benchmark_or_the_beginning_of_several(self):
        self.assertEqual(["rates"], plan.matching("rates"))
        self.assertEqual(["path-embedded", "path-rabbitmq"], plan.matching("path"))
        with self.assertRaisesRegex(Problem, "no benchmark fanout; available: .*rates.*micro, code"):
            plan.matching("fanout")


class SettingsTest(unittest.TestCase):
    def test_what_is_varied_is_multiplied_and_the_first_varies_slowest(self):
        trial = of(vary=dict(broker=["rabbitmq", "embedded"], rate=[1, 2]))
        self.assertEqual([("rabbitmq", 1), ("rabbitmq", 2), ("embedded", 1), ("embedded", 2)],
                         [(shown["broker"], shown["rate"]) for shown, _ in trial.settings()])
        self.assertEqual([2, 2], [len(rows) for rows in trial.fleets()])

    def test_a_row_can_be_a_table_which_is_shown_by_its_name_or_by_its_values(self):
        trial = of(vary=dict(case=[dict(name="small", heap="1m"), dict(name="stock", form="tomcat")], size=[{"rooms": 2, "room-size": 3}]))
        self.assertEqual(["name", "rooms", "room-size"], trial.dimensions())
        self.assertEqual([("1m", "launcher"), ("256m", "tomcat")], [(one["heap"], one["form"]) for _, one in trial.settings()])

    def test_the_client_gets_its_options_and_what_is_varied_of_them(self):
        trial = of(vary={"rate": [5], "servers": [2], "CHATFLOW_PREFETCH": [64], "neighbour": ["no"], "cores": [1]},
                   load={"messages": "=10 * servers", "by-room": True})
        _, setting = next(trial.settings())
        self.assertEqual(["--messages", 20, "--by-room", "--rate", 5], trial.load_of(setting))

    def test_a_value_can_be_set_wherever_it_is(self):
        trial = of(vary=dict(rate=[5], case=[dict(name="a", form="tomcat"), dict(name="b")]), load=dict(rooms=20), warm=dict(rooms=20, rate=9), wait=3)
        for key, text in (("rate", "1,2"), ("name", "b"), ("rooms", "2"), ("wait", "1"), ("CHATFLOW_PREFETCH", "4"), ("messages", "7")):
            trial.override(key, text)
        self.assertEqual([("b", 1), ("b", 2)], sorted((shown["name"], shown["rate"]) for shown, _ in trial.settings()))
        self.assertEqual((dict(rooms=2, messages=7), dict(rooms=2, rate=2)), (trial.load, trial.warm))
        self.assertEqual((1, 4), (trial.common["wait"], trial.common["CHATFLOW_PREFETCH"]))

    def test_a_value_that_a_crowd_does_not_have_is_refused(self):
        trial = of(step=[dict(name="enter", open={})], rooms=3, vary=dict(rate=[1]))
        with self.assertRaisesRegex(Problem, "trial has no messages; it has rate, .*rooms"):
            trial.override("messages", "7")
        with self.assertRaisesRegex(Problem, "no row has name=z"):
            of(vary=dict(case=[dict(name="a")])).override("name", "z")


class MetersTest(unittest.TestCase):
    BEFORE = {'m_total{server="a"}': 10.0, 'f_sum{server="a"}': 100.0, 'f_count{server="a"}': 50.0, 'lag_bucket{server="a",le="0.01"}': 5.0}
    AFTER = {'m_total{server="a"}': 60.0, 'm_total{server="b"}': 50.0, 'f_sum{server="a"}': 130.0, 'f_count{server="a"}': 55.0,
             'f_sum{server="b"}': 20.0, 'f_count{server="b"}': 5.0, 'lag_bucket{server="a",le="0.01"}': 104.0,
             'lag_bucket{server="b",le="0.01"}': 98.0, 'lag_bucket{server="a",le="0.1"}': 105.0, 'lag_bucket{server="b",le="0.1"}': 100.0}

    def test_figures_are_of_the_run_alone_and_of_all_servers_together(self):
        meters = measured.Meters(self.BEFORE, self.AFTER, [dict(g=3.0), dict(g=7.0)])
        self.assertEqual((100, 50), (meters.meter("m_total"), meters.meter("m_total", 'server="b"')))
        self.assertEqual(5, meters.mean("f"))
        self.assertEqual((0.01, 0.1), (meters.quantile("lag", 0.9), meters.quantile("lag", 0.99)))
        self.assertEqual(7, meters.peak("g"))
        self.assertIsNone(measured.Meters({}, {}).peak("g"))


class VerdictTest(unittest.TestCase):
    FIGURES = dict(seconds=10, busy=types.SimpleNamespace(broker=2.5, client=1.0))

    def judged(self, code=0, taken=(), shares=None):
        return measured.judged(dict(exitCode=code, headline="3 lost"), list(taken), self.FIGURES, shares)

    def test_a_failed_run_says_why_and_a_saturated_client_has_still_proved_its_deliveries(self):
        self.assertEqual(("exact", "3 lost", "exact, client saturated"), (self.judged(), self.judged(1), self.judged(6)))

    def test_a_server_without_its_part_of_the_messages_is_a_mistake(self):
        self.assertEqual("exact", self.judged(taken=(90, 100)))
        self.assertEqual("FAIL messages by server [10, 100], exact", self.judged(taken=(10, 100)))

    def test_a_process_near_its_share_is_named(self):
        self.assertEqual("exact, broker near its share", self.judged(shares=types.SimpleNamespace(cpu=dict(broker=0.3, client=0.7))))

    def test_what_else_has_to_be_true_is_named_when_it_is_not(self):
        trial = of(exact_if=["back == 2", "lost == 0"])
        self.assertEqual("FAIL: not back == 2", runner.verdict(trial, dict(back=1, lost=0, verdict="exact")))
        self.assertEqual("exact", runner.verdict(trial, dict(back=2, lost=0, verdict="exact")))


class ColumnsTest(unittest.TestCase):
    def test_a_figure_that_a_row_has_not_got_is_empty_and_a_wrong_name_is_an_error(self):
        bench = runner.Bench(of(columns=["rate"], column=dict(rate=["rate", "3 * broker / count"])), None)
        self.assertEqual([6, None, None], [bench.columns_of(dict(broker=broker, count=count))["rate"] for broker, count in ((2, 1), (None, 1), (2, 0))])
        with self.assertRaises(NameError):
            bench.columns_of({})

    def test_a_stored_run_fills_the_columns_of_the_load_client(self):
        ran = json.loads((ROOT / "client/src/test/resources/stored/open/summary.json").read_text(encoding="utf-8"))
        bench = runner.Bench(of(columns=["copies", "accepted"], column={
            name: plan.read("tables-cores").columns[name] for name in ("copies", "accepted")}), None)
        self.assertEqual({"copies": ran["rates"]["fanOut"], "messages/s": ran["rates"]["acceptedPerSecond"]},
                         bench.columns_of(dict(run=measured.named(ran))))


class CrowdsTest(unittest.TestCase):
    def test_each_crowd_has_a_server_and_rooms_of_its_own_and_their_tallies_are_added_up(self):
        asked = []
        answer = dict(exact=True, failure="", sent=3, seconds=1.0)
        site = types.SimpleNamespace(keep=lambda crowd: crowd)
        crowd = types.SimpleNamespace(pid=1, ask=lambda command, values: asked.append(values) or answer | dict(exact=values["firstRoom"] == 1, seconds=values["firstRoom"]))
        with mock.patch.object(measured, "Crowd", lambda: crowd):
            crowds = measured.Crowds(site, 2)
        told = crowds.ask("open", dict(firstRoom=1, rooms=10, connectRate=600), ["ws://a", "ws://b"])
        self.assertEqual([(["ws://a"], 1, 300), (["ws://b"], 11, 300)],
                         sorted((values["servers"], values["firstRoom"], values["connectRate"]) for values in asked))
        self.assertEqual(dict(exact=False, failure="", sent=6, seconds=11), told)


class SamplerTest(unittest.TestCase):
    def test_nothing_looks_on_after_a_run_without_a_result(self):
        def fails(*_, **__):
            raise Problem("the load client ended with 5")

        fleet = types.SimpleNamespace(pages=lambda: [{}], consumer_page=dict, consumer=None, throttled=lambda: (0, 0), pids=dict,
                                      urls=lambda: ["ws://127.0.0.1:1/chat"])
        before = threading.active_count()
        with mock.patch.dict(os.environ, JAVA_HOME="/nowhere"), self.assertRaisesRegex(Problem, "ended with 5"):
            measured.run_client(types.SimpleNamespace(load=fails), fleet, [], dict(neighbour="no"), samples=True)
        self.assertEqual(before, threading.active_count())


if __name__ == "__main__":
    unittest.main()
