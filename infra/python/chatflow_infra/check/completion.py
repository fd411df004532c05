"""Tests completion in a shell on a terminal: the first letters of a word, then the tab key."""
import contextlib
import os
import pty
import select
import shutil
import subprocess
import time

from ..common import LAUNCHER, ROOT, call, expect
from .registry import NEEDS, check

#: Typed text before the tab key, and the expected line.
CASES = [
    ("./chatflow smo", "./chatflow smoke "),
    ("./chatflow jav", "./chatflow java "),
    ("./chatflow --vers", "./chatflow --version "),
    ("./chatflow load --room-s", "--room-size "),
    ("./chatflow sweep --var", "--vary "),
    ("./chatflow find-max --precis", "--precision "),
    ("./chatflow demo --aud", "--audit "),
    ("./chatflow demo --pool-s", "--pool-size "),
    ("./chatflow up --print-e", "--print-effective "),
    ("./chatflow consumer --reten", "--retention "),
    ("./chatflow cluster bala", "balance "),
    ("./chatflow cluster start --balan", "--balancer "),
    ("./chatflow compose sca", "scale "),
    ("./chatflow test --str", "--strict "),
    ("./chatflow test --only heap clien", "client-"),
    ("./chatflow bench scaling-q", "scaling-quota "),
    ("./chatflow bench pee", "peers "),
    ("./chatflow chaos rolling", "rolling-restart "),
    ("./chatflow build --l", "--lab "),
]
SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}


class Terminal:
    """A shell on a pseudo terminal."""

    def __init__(self, command, directory):
        self.screen, (master, slave) = "", pty.openpty()
        self.master = master
        environment = {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(directory), "PS1": "$ ", "INPUTRC": "/dev/null",
                       "COLUMNS": "200"}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)

    def type(self, text):
        os.write(self.master, text.encode())

    def shows(self, text, seconds=60):
        """Returns whether the text appears in the output since the last call."""
        end = time.monotonic() + seconds
        while text not in self.screen and time.monotonic() < end:
            if select.select([self.master], [], [], 1)[0]:
                with contextlib.suppress(OSError):
                    self.screen += os.read(self.master, 65536).decode(errors="replace").replace("\r", "").replace("\x07", "")
        found = text in self.screen
        self.screen = ""
        return found

    def stop(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@check("completion", "bash and zsh complete verbs, their words and options, and the load client's options", 15, uses_programs=True,
       wants=("zsh",))
def completion(run):
    run.session.lab()
    script = run.directory / "completion"
    script.write_text(call(LAUNCHER, "generate-completion"), encoding="utf-8")
    shells = [shell for shell in SHELLS if shutil.which(shell)]
    for shell in shells:
        terminal = run.site.keep(Terminal(SHELLS[shell], run.directory))
        terminal.type(f"source {script}; echo sour''ced\n")
        expect(terminal.shows("sourced"), f"{shell} does not accept the script")
        for typed, wanted in CASES:
            terminal.type(f"{typed}\t")
            expect(terminal.shows(wanted), f"{shell}: {typed!r} and the tab key do not produce {wanted!r}")
            terminal.type("\x15echo clea''red\n")  # Ctrl-U
            expect(terminal.shows("cleared"), f"{shell} hangs after {typed!r}")
    if "zsh" not in shells:
        run.session.add("SKIPPED", run.check, f"zsh: {NEEDS['zsh'].lacks}")
    return " and ".join(shells)
