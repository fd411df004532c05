import re
import subprocess
import unittest

from chatflow_infra.common import ROOT, jvm

FLAG = "-XX:+ExitOnOutOfMemoryError"
#: Files that start a long-running JVM, and the beginning of that line.
PLACES = {
    "infra/tomcat/setenv.sh": r'^CATALINA_OPTS="',
    "infra/systemd/chatflow-consumer.service": "^ExecStart=",
    "Dockerfile": "^ENTRYPOINT",
    "infra/aws/files/chatflow-load": "^exec java",
}


class ExhaustedHeapTest(unittest.TestCase):
    """Tests that a JVM with an exhausted heap exits, so that its supervisor restarts it; it once hung."""

    def test_every_jvm_ends_when_its_heap_is_exhausted(self):
        for name in ("SERVER", "CLIENT", "CONSUMER"):
            self.assertIn(FLAG, jvm(name), name)
        for place, beginning in PLACES.items():
            lines = [line for line in (ROOT / place).read_text(encoding="utf-8").splitlines() if re.match(beginning, line)]
            self.assertTrue(lines and FLAG in lines[0], place)

    def test_the_server_names_the_options_that_it_is_started_with(self):
        java = (ROOT / "server/src/main/java/dev/chatflow/server/launch/Deployment.java").read_text(encoding="utf-8")
        named = re.findall(r'"(-XX:[^"]+)"', java.split("JVM_OPTIONS =")[1].split(";")[0])
        self.assertEqual(FLAG, named[0])
        image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
        tomcat = (ROOT / "infra/tomcat/setenv.sh").read_text(encoding="utf-8")
        for option in named:
            self.assertIn(option, jvm("SERVER"))
            self.assertIn(f'"{option}"', image)
            self.assertIn(option, tomcat)

    def test_load_machines_inline_as_little_as_the_launcher(self):
        machines = (ROOT / "infra/aws/files/chatflow-load").read_text(encoding="utf-8")
        inlining = [option for option in jvm("CLIENT") if "Inline" in option]
        self.assertEqual(3, len(inlining))
        for option in inlining:
            self.assertIn(option, machines)

    def test_of_collectors_the_callers_alone_is_used(self):
        for options, used in (("-Xmx1g", ["-XX:+UseSerialGC"]), ("-XX:+UseZGC", ["-XX:+UseZGC"])):
            said = subprocess.run(["sh", "-c", f'. "{ROOT}/infra/tomcat/setenv.sh" && echo "$CATALINA_OPTS"'], check=True, text=True,
                                  capture_output=True, env={"CATALINA_BASE": "/nowhere", "CATALINA_OPTS": options}).stdout
            self.assertEqual(used, re.findall(r"-XX:\+Use\w+GC", said))
            self.assertTrue(said.rstrip().endswith(options))

    def test_every_supervisor_starts_it_again(self):
        for unit in ("chatflow", "chatflow-consumer"):
            text = (ROOT / f"infra/systemd/{unit}.service").read_text(encoding="utf-8")
            self.assertRegex(text, "(?m)^Restart=on-failure$")
            self.assertNotRegex(text, r"(?m)^SuccessExitStatus=.*\b3\b")
        services = (ROOT / "infra/compose/compose.yaml").read_text(encoding="utf-8")
        for name, next_one in (("server", "balancer"), ("consumer", "prometheus")):
            self.assertIn("restart: unless-stopped", services.split(f"\n  {name}:\n")[1].split(f"\n  {next_one}:\n")[0])


if __name__ == "__main__":
    unittest.main()
