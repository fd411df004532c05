"""Tests setenv.sh, which a stock Tomcat reads before it starts or stops."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from chatflow_infra.common import ROOT


def run(text, script, verb=""):
    """Reads setenv.sh in a shell with these lines in chatflow.env; returns output and exit status."""
    with tempfile.TemporaryDirectory() as base:
        conf = pathlib.Path(base) / "conf"
        conf.mkdir()
        (conf / "chatflow.env").write_text(text, encoding="utf-8", newline="")
        ended = subprocess.run(["sh", "-c", f'set -- {verb}; . "{ROOT}/infra/tomcat/setenv.sh"; {script}'], text=True, capture_output=True,
                               check=False, env={"PATH": os.environ["PATH"], "CATALINA_BASE": base})
        return ended.stdout + ended.stderr, ended.returncode


class SettingsTest(unittest.TestCase):

    def value(self, line):
        said, status = run(line, 'printf %s "${KEY-unset}"')
        self.assertEqual(0, status, said)
        return said

    def test_a_value_is_taken_as_it_stands(self):
        for value in ("/a.key, /b.key", "p$HOME&w`date`", "a=b", "", "back\\slash", "#hash", "it's"):
            self.assertEqual(value, self.value(f"KEY={value}\n"))
        self.assertEqual("last line", self.value("KEY=last line"))
        self.assertEqual("windows", self.value("# comment\r\nKEY=windows\r\n\r\n"))

    def test_quotes_around_a_value_are_taken_off(self):
        self.assertEqual("a b", self.value('KEY="a b"\n'))
        self.assertEqual("a b", self.value("export KEY='a b'\n"))

    def test_what_is_no_setting_stops_a_start_and_never_a_stop(self):
        for line in ("CHATFLOW_TOKEN_KEYS /a.key", "CHATFLOW_TOKEN_KEYS = /a.key", "rm -rf x=y", "=x"):
            said, status = run(line + "\n", "echo went on")
            self.assertEqual(1, status, said)
            self.assertIn("does not begin a KEY=value line", said)
            self.assertNotIn("went on", said)
            said, status = run(line + "\n", "echo went on", "stop")
            self.assertEqual(0, status, said)
            self.assertIn("went on", said)

    def test_a_number_that_is_none_is_refused(self):
        said, status = run("CHATFLOW_MAX_CONNECTIONS=20 000\n", "echo went on")
        self.assertEqual(1, status)
        self.assertIn("CHATFLOW_MAX_CONNECTIONS is 20 000, not a whole number", said)

    def test_no_setting_passes_through_the_command_line(self):
        said, _ = run("CHATFLOW_ADDRESS=a b\nCHATFLOW_TLS_KEY=/etc/chat flow/key.pem\n", 'echo "$CATALINA_OPTS"')
        self.assertNotIn("a b", said)
        self.assertNotIn("chat flow", said)


if __name__ == "__main__":
    unittest.main()
