import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from chatflow_infra.check import CHECKS
from chatflow_infra.common import LAUNCHER, ROOT

VERBS = re.search(r"(?m)^  (demo \| up .*?)\) ;;\n  (test \| cluster .*?)\)$", LAUNCHER.read_text(encoding="utf-8"))
VERBS = [verb.strip() for group in VERBS.groups() for verb in group.split("|")]


class UnbuiltTest(unittest.TestCase):
    """Help, version and options in a clone that was never built."""

    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        for name in ("chatflow", "pom.xml", "infra/completion", "infra/compose/compose", "docs/reference/load-options.md",
                     "server/src/main/java/dev/chatflow/server/launch/LaunchOptions.java"):
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.place / name)
        for name in ("consumer-lib/src/main/java/dev/chatflow/record", "infra/lab/src/main/java/dev/chatflow/lab/chaos",
                     "infra/lab/src/main/java/dev/chatflow/lab/attack"):
            shutil.copytree(ROOT / name, self.place / name)
        (self.place / "infra/python").symlink_to(ROOT / "infra/python")

    def said(self, status, *arguments):
        done = subprocess.run([self.place / "chatflow", *arguments], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(status, done.returncode, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def files(self):
        return sorted(str(file) for file in self.place.rglob("*") if "infra/python" not in str(file))

    def test_every_verb_prints_its_help_and_version_without_effect(self):
        self.assertGreater(len(VERBS), 18)
        before = self.files()
        for verb in VERBS:
            self.assertIn(verb, self.said(0, verb, "--help"))
            self.assertEqual(self.said(0, verb, "--help"), self.said(0, "help", verb))
            self.assertRegex(self.said(0, verb, "--version"), r"^chatflow \d+\.\d+\.\d+\S* \(.+\)\n$")
        self.assertEqual(before, self.files())

    def test_the_launcher_has_help_and_a_version_of_its_own(self):
        for verb in VERBS:
            self.assertRegex(self.said(0, "--help"), rf"(?m)^  (.*, )?{verb}\b|same as {verb}\b")
        self.assertRegex(self.said(0, "--version"), r"^chatflow \d")

    def test_what_is_unknown_is_refused_in_one_line(self):
        for arguments, message in ((["build", "--foo"], "--foo"), (["nothing"], "unknown command 'nothing'"),
                                   (["test", "--only", "nothing", "--list"], "no check nothing")):
            self.assertIn(message, self.said(2, *arguments).strip().splitlines()[0])

    def test_options_are_checked_before_anything_is_built(self):
        before = self.files()
        for arguments, message in ((["demo", "--foo"], "chatflow: unknown option --foo (see ./chatflow load --help)"),
                                   (["demo", "--audit", "--rooms=2", "--foo", "2"], "unknown option --foo "),
                                   (["load", "--foo=1", "ws://localhost/chat"], "unknown option --foo "),
                                   (["run", "--messages", "1", "--foo"], "unknown option --foo "),
                                   (["up", "--port", "1", "--foo"], "unknown option --foo (see ./chatflow up --help)"),
                                   (["consumer", "--store", "memory", "--foo"], "unknown option --foo "),
                                   (["shards", "64", "--foo"], "unknown option --foo "),
                                   (["chaos", "--foo"], "unknown option --foo "), (["attack", "--foo"], "unknown option --foo "),
                                   (["compose", "up", "9"], "1 to 4 servers"), (["compose", "up", "--foo"], "not --foo"),
                                   (["cluster", "start", "9"], "invalid choice: 9"), (["cluster", "start", "1", "--foo"], "--foo")):
            self.assertIn(message, self.said(2, *arguments))
        self.assertIn("no benchmark nothing", self.said(1, "bench", "nothing"))
        self.assertEqual(before, self.files())

    def test_documented_and_hidden_options_of_the_load_client_pass_the_check(self):
        (self.place / "bin").mkdir()
        (self.place / "bin/mvn").write_text("#!/bin/sh\necho the build >&2\nexit 1\n", encoding="utf-8")
        (self.place / "bin/mvn").chmod(0o755)
        for arguments in (["load", "--rooms", "1", "--numThreads", "1", "--numRuns", "1", "--out=none", "--token-key", "f", "--", "--foo"],
                          ["up", "--admin-port=0", "--secure"]):
            done = subprocess.run([self.place / "chatflow", *arguments], capture_output=True, text=True, timeout=120, check=False,
                                  env=os.environ | {"PATH": f"{self.place / 'bin'}:{os.environ['PATH']}"})
            self.assertEqual(1, done.returncode)
            self.assertIn("the build", done.stderr)


class WorkflowsTest(unittest.TestCase):
    """Tests that the verbs and checks in .github/workflows exist."""

    def test_they_call_verbs_and_checks_that_exist(self):
        files = sorted((ROOT / ".github/workflows").glob("*.yml"))
        self.assertEqual(["ci.yml", "release.yml"], [file.name for file in files])
        text = "\n".join(file.read_text(encoding="utf-8") for file in files)
        called = re.findall(r"\./chatflow ((?:[a-z][a-z-]*)[^\n|)]*)", text)
        self.assertGreater(len(called), 1)
        names = {check.name for check in CHECKS}
        for words in map(str.split, called):
            self.assertIn(words[0], VERBS)
            self.assertLessEqual({word for word in words[1:] if not word.startswith("--")}, names)
        self.assertIn("run: .ci/run\n", text)


class PythonTest(unittest.TestCase):
    """Tests a machine without python3, which root may install."""

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
        self.assertEqual((3, "chatflow: bench needs python3 (3.11 or later)\n"), self.said("bench", "code"))
        status, said = self.said("test", "--list")
        self.assertEqual(0, status, said)
        self.assertIn("installing python3", said)


class DemoTest(unittest.TestCase):
    """Tests demo with programs that only record their calls."""

    JAVA = """#!/bin/sh
printf '%s\\n' "$* broker=$CHATFLOW_AMQP_URI" >>"$CALLS"
case "$*" in *chatflow.war* | *server/chatflow.jar*) printf '  chat  ws://127.0.0.1:1/chat\\nready after 0.1 s\\n'; exec sleep 600 ;; esac
"""

    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        for name, script in (("java", self.JAVA), ("javac", "#!/bin/sh\necho javac 25\n")):
            self.write(f"jdk/bin/{name}", script).chmod(0o755)
        for name in ("chatflow", "pom.xml"):
            shutil.copy(ROOT / name, self.place / name)
        for name in ("server/target/chatflow.war", "client/target/chatflow-client.jar", "client/chat/target/chatflow-chat.jar",
                     "consumer-lib/target/chatflow-consumer.jar", "target/build.stamp"):
            self.write(name, "")

    def write(self, name, text):
        file = self.place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def server(self, *arguments, **environment):
        """Runs a demo; returns the call of its server."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("CHATFLOW_")}
        calls = self.write("calls", "")
        done = subprocess.run([self.place / "chatflow", "demo", *arguments], capture_output=True, text=True, timeout=120, check=False,
                              env=kept | {"JAVA_HOME": str(self.place / "jdk"), "CALLS": str(calls)} | environment)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return next(line for line in calls.read_text(encoding="utf-8").splitlines() if "--admin-port" in line)

    def test_a_broker_is_named_by_an_option_or_by_the_environment_and_takes_its_heap_along(self):
        uri = "amqp://user:secret@127.0.0.1:1"
        for called in (self.server(CHATFLOW_AMQP_URI=uri), self.server("--broker", uri)):
            arguments, broker = called.split(" broker=")
            self.assertIn("-Xmx256m ", arguments)
            self.assertNotIn("secret", arguments)
            self.assertEqual(uri, broker)
        self.assertRegex(self.server(), r"^-Xmx384m .* broker=$")

    def test_a_build_leaves_the_file_of_a_server_that_runs(self):
        war = self.write("server/target/chatflow.war", "old")
        self.write("bin/mvn", "#!/bin/sh\nprintf new >server/target/chatflow.war\n").chmod(0o755)
        with war.open(encoding="utf-8") as running:
            subprocess.run([self.place / "chatflow", "build"], capture_output=True, timeout=120, check=True, env=os.environ | {
                "JAVA_HOME": str(self.place / "jdk"), "PATH": f"{self.place / 'bin'}:{os.environ['PATH']}"})
            self.assertEqual(("old", "new"), (running.read(), war.read_text(encoding="utf-8")))

    def test_the_load_client_is_given_the_command_that_the_user_typed(self):
        self.server()
        self.assertEqual(2, (self.place / "calls").read_text(encoding="utf-8").count("-Dlauncher.command=./chatflow -jar"), "--dry-run and run")

    def test_what_was_kept_of_this_very_build_is_used_and_of_another_is_not(self):
        kept, war = self.place / "target/trained", self.write("server/target/chatflow.war", "this build")
        self.assertNotIn("AOTCache", self.server())
        with open(war, encoding="utf-8") as build:
            self.write("target/trained/server.of", subprocess.run(["cksum"], stdin=build, capture_output=True, text=True, check=True).stdout)
        self.assertIn(f"-XX:AOTCache={kept}/server.aot -Xlog:aot*=off,cds*=off -jar {kept}/server/chatflow.jar --port 0", self.server())
        war.write_text("another build", encoding="utf-8")
        self.assertNotIn("AOTCache", self.server())


class JavaTest(unittest.TestCase):
    """Tests a user's program with the Java that the launcher finds."""

    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        for home, tool, script in (("right", "javac", "echo javac 25"), ("right", "java", 'echo "right: $*"'),
                                   ("wrong", "javac", "echo javac 17"), ("wrong", "java", 'echo "wrong: $*"')):
            file = self.place / home / "bin" / tool
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            file.chmod(0o755)

    def said(self, *arguments):
        path = f"{self.place}/wrong/bin:{os.environ['PATH']}"
        return subprocess.run([LAUNCHER, *arguments], env=os.environ | {"JAVA_HOME": str(self.place / "right"), "PATH": path},
                              capture_output=True, text=True, timeout=120, check=True).stdout

    def test_it_is_java_25_whatever_is_in_the_path_and_gets_all_arguments(self):
        self.assertEqual("right: -cp a.jar Bot.java --help\n", self.said("java", "-cp", "a.jar", "Bot.java", "--help"))
        self.assertIn("Usage: ./chatflow java", self.said("java", "--help"))


class CompletionTest(unittest.TestCase):
    """Tests that completion is generated again only for newer programs."""

    ASKED = ("chatflow", "infra/compose/compose", "server/target/chatflow.war", "client/target/chatflow-client.jar",
             "consumer-lib/target/chatflow-consumer.jar", "infra/lab/target/chatflow-lab.jar")

    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        for name in (*self.ASKED, "bin/java", "target/completion"):
            file = self.place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("#!/bin/sh\necho '  path  anew'\n", encoding="utf-8")
            file.chmod(0o755)
            os.utime(file, (1000, 1000))
        (self.place / "infra/python").mkdir()
        os.utime(self.place / "infra/python", (1000, 1000))
        shutil.copy(ROOT / "infra/completion", self.place / "infra/completion")
        os.utime(self.place / "infra/completion", (1000, 1000))

    def said(self):
        (self.place / "target/completion").write_text("kept\n", encoding="utf-8")
        os.utime(self.place / "target/completion", (2000, 2000))
        return subprocess.run([self.place / "infra/completion", self.place], env=os.environ | {"JAVA_HOME": str(self.place)},
                              capture_output=True, text=True, timeout=120, check=True).stdout

    def test_it_is_made_anew_when_a_program_that_it_asks_is_newer(self):
        self.assertEqual("kept\n", self.said())
        for name in self.ASKED:
            os.utime(self.place / name, (3000, 3000))
            self.assertIn("complete -o default", self.said(), name)
            os.utime(self.place / name, (1000, 1000))


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
