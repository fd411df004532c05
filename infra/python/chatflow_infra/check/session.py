"""Updates output and pictures of the load client in the documents with the commands on their pages."""
import os
import re
import shutil
import struct
from pathlib import Path

from ..common import LAUNCHER, ROOT, Problem, call, expect, java, own_environment
from .registry import check
from .release import STRICT

DOCUMENT = ROOT / "docs/tutorials/first-load-test.md"
PICTURES = "docs/contributing/testing.md"
RECORDING = ROOT / "target/checks/session.md"
PICTURE = ROOT / "target/checks/report.png"
LEFT_OUT = "…"

#: The mark between the outputs of two commands.
MARK = "--- next"


def steps(document):
    """Returns [(command, [recorded line])] of all console blocks."""
    found = []
    for block in re.findall(r"(?ms)^```console\n(.*?)^```$", document):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def label(line):
    """Returns the fixed part of a line: the words before the first figure, or before a column's gap; all of a status."""
    return line if line.startswith("status ") else re.split(r" {2,}|\d", line.strip())[0].strip()


def printed(command, recorded, said):
    """Returns the recorded lines with their current output."""
    lines, now = iter(said), []
    for line in recorded:
        found = line if line == LEFT_OUT else next((other for other in lines if label(other) == label(line)), None)
        if found is None:
            raise Problem(f"$ {command}\nprinted no line, or not in order, that begins as in the document:\n{line}\nIt printed:\n" + "\n".join(said))
        now.append(found)
    return now


def replayed(document, said):
    """Returns the document with the current output of its commands."""
    wanted = steps(document)
    expect(len(said) == len(wanted), f"{len(said)} of {len(wanted)} commands completed")
    fresh = iter([line for (command, recorded), lines in zip(wanted, said) for line in (f"$ {command}", *printed(command, recorded, lines))])
    blocks = re.split(r"(?ms)(^```console\n.*?^```$)", document)
    return "".join("\n".join(next(fresh) if number and line != "```" else line for number, line in enumerate(block.split("\n")))
                   if block.startswith("```console") else block for block in blocks)


@check("session", "docs/tutorials/first-load-test.md: each of its commands prints the lines on the page, except figures", 60,
       needs=("linux", "root", "ip"), uses_programs=True, mostly_waits=True)
def session(run):
    """Runs in a separate network, where the usual ports are free, and keeps the recording."""
    document = DOCUMENT.read_text(encoding="utf-8")
    (run.directory / "chatflow").write_text(f'#!/bin/sh\nexec "{LAUNCHER}" "$@"\n', encoding="utf-8")
    (run.directory / "chatflow").chmod(0o755)
    script = f'ip link set lo up; cd "{run.directory}"\n' + "".join(f"{command}\necho '{MARK}'\n" for command, _ in steps(document))
    (run.directory / "script").write_text(script, encoding="utf-8")
    said = call("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", run.directory / "script",
                environment=own_environment(HOME=run.directory, PATH=f"{Path(java()).parent}:{os.environ['PATH']}",
                                            MAVEN_OPTS=f"-Duser.home={Path.home()}"))
    run.say(said)
    outputs = [output.strip("\n").splitlines() for output in said.split(f"{MARK}\n")]
    RECORDING.write_text(replayed(document, outputs[:-1]), encoding="utf-8")
    return f"{len(steps(document))} commands"


def picture_commands(document, **instead):
    """Returns the commands of docs/contributing/testing.md for a picture, with other programs, files and addresses."""
    commands = re.search(r"(?ms)^### The picture of a report$.*?^```\n(.*?)^```$", document)[1]
    for name, other in (("./chatflow", "launcher"), ("ws://localhost:8080/chat", "chat"), ("results/picture", "results"),
                        ("docs/measuring/report.png", "picture"), ("chromium ", "browser")):
        expect(name in commands, f"{PICTURES} does not contain {name}")
        commands = commands.replace(name, str(instead[other]))
    return commands


@check("report-picture", "the picture of a run's page, by the commands of docs/contributing/testing.md", 40,
       needs=("chromium",), uses_programs=True, mostly_waits=True)
def report_picture(run):
    """Runs the default workload. The browser has no sandbox, which root may lack; the picture is kept."""
    PICTURE.unlink(missing_ok=True)
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))))
    commands = picture_commands((ROOT / PICTURES).read_text(encoding="utf-8"), launcher=LAUNCHER, chat=run.site.server().chats[0],
                                results=run.directory / "picture", picture=PICTURE,
                                browser=f"{browser} --no-sandbox --disable-dev-shm-usage --user-data-dir={run.directory}/profile ")
    run.say(call("bash", "-c", STRICT + commands, environment=own_environment()))
    size = struct.unpack(">II", PICTURE.read_bytes()[16:24])
    expect(size == (1040, 2600), f"it is {size}")
    return f"{PICTURE.relative_to(ROOT)}, {PICTURE.stat().st_size:,} bytes"
