import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from chatflow_infra.common import LAUNCHER, ROOT

VERBS = re.search(r"(?m)^  (demo \| test .*?)\) ;;\n  (cluster .*?)\) ;;$", LAUNCHER.read_text(encoding="utf-8"))
VERBS = [verb.strip() for group in VERBS.groups() for verb in group.split("|")]


class AskingTest(unittest.TestCase):
    """Help and version, asked of sources that nobody has built."""

    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        for name in ("chatflow", "pom.xml", "infra/completion", "infra/compose/compose"):
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.place / name)
        (self.place / "infra/python").symlink_to(ROOT / "infra/python")

    def said(self, status, *arguments):
        done = subprocess.run([self.place / "chatflow", *arguments], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(status, done.returncode, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def files(self):
        return sorted(str(file) for file in self.place.rglob("*") if "infra/python" not in str(file))

    def test_every_verb_tells_its_help_and_version_without_effect(self):
        self.assertGreater(len(VERBS), 18)
        before = self.files()
        for verb in VERBS:
            self.assertIn(verb, self.said(0, verb, "--help"))
            self.assertRegex(self.said(0, verb, "--version"), r"^chatflow \d+\.\d+\.\d+\S* \(.+\)\n$")
        self.assertEqual(before, self.files())

    def test_the_launcher_has_help_and_a_version_of_its_own(self):
        for verb in VERBS:
            self.assertRegex(self.said(0, "--help"), rf"(?m)^  (.*, )?{verb}\b|same as {verb}\b")
        self.assertRegex(self.said(0, "--version"), r"^chatflow \d")

    def test_what_is_unknown_is_refused_in_one_line(self):
        for arguments, told in ((["build", "--foo"], "--foo"), (["nothing"], "no verb nothing"), (["bench", "nothing"], "no benchmark nothing"),
                                (["test", "--only", "nothing", "--list"], "no check nothing")):
            if arguments[0] != "bench":  # which builds first
                self.assertIn(told, self.said(2, *arguments).strip().splitlines()[0])


class PythonTest(unittest.TestCase):
    """A machine without python3, whose root may install it."""

    def setUp(self):
        self.path = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.path)
        for name in ("bash", "cat", "dirname", "find", "git", "head", "readlink", "sed"):
            (self.path / name).symlink_to(shutil.which(name))
        self.stub("id", "echo 0")
        self.stub("apt-get", f'case "$*" in *" python3") /bin/ln -s {sys.executable} {self.path}/python3 ;; esac')

    def stub(self, name, body):
        (self.path / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (self.path / name).chmod(0o755)

    def said(self, *arguments):
        done = subprocess.run(["bash", LAUNCHER, *arguments], env={"PATH": str(self.path), "HOME": "/nonexistent"}, capture_output=True,
                              text=True, timeout=120, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_only_the_checks_install_what_lacks(self):
        self.assertEqual((3, "chatflow: bench needs python3 (3.9 or later)\n"), self.said("bench", "code"))
        status, said = self.said("test", "--list")
        self.assertEqual(0, status, said)
        self.assertIn("installing python3", said)


class ReadyLineTest(unittest.TestCase):
    def test_a_line_that_is_still_being_written_is_not_taken(self):
        function = re.search(r"(?ms)^says_ready\(\) \{.*?^\}$", LAUNCHER.read_text(encoding="utf-8"))[0]
        for text, expected in (("starting\nready after ", 1), ("starting\nready after 3.1 s\n", 0), ("already\n", 1), ("", 1)):
            with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
                log.write(text)
                log.flush()
                done = subprocess.run(["bash", "-c", f'{function}\nsays_ready "$1"', "bash", log.name], check=False)
                self.assertEqual(expected, done.returncode, repr(text))


if __name__ == "__main__":
    unittest.main()
