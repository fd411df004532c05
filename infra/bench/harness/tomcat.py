"""A stock Tomcat with the packaged WAR, set up as docs/deployment.md says."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
from pathlib import Path

from .programs import ROOT, WAR, get

CONF = ("web.xml", "context.xml", "catalina.properties", "logging.properties")
START_SECONDS = 120


class StockTomcat:
    """Tomcat from its archive, in a process and a directory of its own, on a free loopback port."""

    def __init__(self, broker, max_connections):
        home = self._home()
        self.base = Path(tempfile.mkdtemp(prefix="chatflow-tomcat-"))
        for directory in ("bin", "conf", "logs", "temp", "webapps", "work"):
            (self.base / directory).mkdir()
        for file in CONF:
            shutil.copy(home / "conf" / file, self.base / "conf")
        shutil.copy(ROOT / "infra/tomcat/server.xml", self.base / "conf")
        shutil.copy(ROOT / "infra/tomcat/setenv.sh", self.base / "bin")
        shutil.copy(WAR, self.base / "webapps/ROOT.war")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (self.base / "conf/chatflow.env").write_text(
            f"CHATFLOW_PORT={port}\nCHATFLOW_ADMIN_PORT=0\nCHATFLOW_SERVER_ID=stock\n"
            f"CHATFLOW_AMQP_URI={broker.uri}\nCHATFLOW_MAX_CONNECTIONS={max_connections}\n")
        self.chat = f"ws://127.0.0.1:{port}/chat"
        self.log = self.base / "logs/catalina.out"
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen(
                [home / "bin/catalina.sh", "run"], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                env=dict(os.environ, CATALINA_HOME=str(home), CATALINA_BASE=str(self.base)))
        self.pid = self.process.pid  # the script gives way to the JVM
        self._await(f"http://127.0.0.1:{port}/ready")

    @staticmethod
    def _home():
        found = sorted((ROOT / "server/target").glob("apache-tomcat-*"))
        if not found:
            sys.exit("no Tomcat unpacked: run mvn verify -pl server -am once")
        return found[-1]

    def _await(self, ready):
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                get(ready)
                return
            except (OSError, urllib.error.URLError):
                if self.process.poll() is not None or time.monotonic() > deadline:
                    said = self.log.read_text(errors="replace")[-3000:]
                    self.process.kill()
                    sys.exit("Tomcat did not start:\n" + said)
            time.sleep(0.2)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        shutil.rmtree(self.base, ignore_errors=True)
