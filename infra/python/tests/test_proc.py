import itertools
import os
import subprocess
import unittest
from unittest import mock

from chatflow_infra import proc

STAT = ("4242 (a (strange) name) S 1 4242 4242 0 -1 4194304 2000 0 0 0 "
        "150 50 7 9 20 0 31 0 8000 123456 789 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0")
MACHINE = "cpu  1000 20 300 9000 70 4 6 30 500 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
STATUS = "Name:\tjava\nVmPeak:\t  9999 kB\nVmRSS:\t  123456 kB\nThreads:\t37\n"


class ProcTest(unittest.TestCase):
    def test_user_and_system_time_of_a_process_whatever_its_name(self):
        self.assertEqual(200 / proc.TICKS, proc.process_seconds(STAT))

    def test_busy_time_of_the_machine_is_neither_idle_nor_counts_guests_twice(self):
        self.assertEqual((1000 + 20 + 300 + 4 + 6 + 30) / proc.TICKS, proc.machine_seconds(MACHINE))

    def test_fields_of_status(self):
        self.assertEqual(123456, proc.status_field(STATUS, "VmRSS"))
        self.assertEqual(37, proc.status_field(STATUS, "Threads"))
        self.assertEqual(0, proc.status_field(STATUS, "VmSwap"))

    def test_this_process_is_seen(self):
        self.assertGreater(proc.rss_kb(os.getpid()), 1000)
        self.assertGreaterEqual(proc.threads(os.getpid()), 1)
        self.assertGreater(proc.cpu_seconds(os.getpid()), 0)

    def test_children_are_those_that_still_run(self):
        child = self.child("sleep", "30")
        self.assertIn(child.pid, proc.children(os.getpid()))
        child.kill()
        child.wait()
        self.assertNotIn(child.pid, proc.children(os.getpid()))

    def test_a_process_that_has_gone_used_nothing(self):
        self.assertEqual(0, proc.cpu_seconds(2**30))
        self.assertEqual(0, proc.cpu_seconds(None))

    def test_a_process_is_pinned(self):
        child = self.child("sleep", "30")
        proc.pin(child.pid, {0})
        self.assertEqual({0}, os.sched_getaffinity(child.pid))

    def test_a_process_has_settled_when_its_descriptors_are_closed_and_it_rests(self):
        child = self.child("sleep", "30")
        self.assertTrue(proc.await_settled(child.pid, before=0, patience=5, look=0.01))
        self.assertFalse(proc.await_settled(child.pid, before=-100, patience=0.05, look=0.01))

    def test_a_busy_process_has_not_settled(self):
        with mock.patch.object(proc, "cpu_seconds", side_effect=itertools.count()):
            self.assertFalse(proc.await_settled(os.getpid(), before=1000, patience=0.05, look=0.01))

    def child(self, *command):
        """A process that always ends with the test."""
        child = subprocess.Popen(command)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def test_a_trace_finds_the_busiest_stretch_of_those_asked_for(self):
        trace = proc.Trace(dict(server1=1, server2=2, broker=3, none=None))
        trace.samples = [(at, dict(server1=one, server2=two, broker=broker)) for at, one, two, broker in
                         [(0, 0, 0, 0), (1, 1, 0, 5), (2, 3, 1, 6), (3, 5, 2, 7), (4, 5, 2, 7)]]
        self.assertEqual(dict(server1=4, server2=2, broker=2), trace.busiest(2, "server"))
        self.assertEqual(dict(server1=3, server2=1.5, broker=1.5), trace.busiest(1.5, "server"))
        self.assertEqual(dict(server1=5, server2=2, broker=7), trace.busiest(9, "server"))

    def test_a_process_that_ends_keeps_what_it_had_in_a_trace(self):
        trace = proc.Trace(dict(client=1))
        trace.samples = [(0, dict(client=0)), (1, dict(client=4)), (2, dict(client=0))]
        self.assertEqual(dict(client=4), trace.at(2))

    def test_a_trace_looks_until_it_is_ended(self):
        trace = proc.Trace(dict(server=os.getpid(), none=None))
        trace.start()
        trace.end()
        self.assertEqual(["server"], list(trace.samples[0][1]))

    def test_what_others_used_is_a_share_of_all_cores(self):
        self.assertAlmostEqual(0.25, proc.foreign_share(busy=12, own=7, seconds=10, cores=2))

    def test_rounding_of_ticks_is_no_negative_share(self):
        self.assertEqual(0, proc.foreign_share(busy=6.98, own=7, seconds=10, cores=2))

    def test_a_window_is_disturbed_above_the_limit_only(self):
        self.assertFalse(proc.is_disturbed(dict(foreign=proc.DISTURBED)))
        self.assertTrue(proc.is_disturbed(dict(foreign=proc.DISTURBED + 0.001)))
        self.assertFalse(proc.is_disturbed({}))

    def test_a_window_over_this_process_counts_its_cpu(self):
        window = proc.Window(own=os.getpid())
        sum(i * i for i in range(2_000_000))
        seconds, cpu, foreign = window.close()
        self.assertGreater(seconds, 0)
        self.assertGreaterEqual(cpu["own"], 0)
        self.assertGreaterEqual(foreign, 0)


if __name__ == "__main__":
    unittest.main()
