"""A release: on a bare machine, in the first hour of its readers, and made twice."""
import os
import re
import shutil
from pathlib import Path

from ..common import LAUNCHER, ROOT, Skipped, call, expect, java, own_environment, tomcat_archive
from .registry import NAMED, check

#: Kept on the machine: it takes a minute to install.
BARE = Path("/var/lib/chatflow/bare-jre-25")
#: Of the issue: from the archive to the first text in a room.
FIRST_CHAT_SECONDS = 60

#: Where a part of docs/first-hour.md says that it runs.
BARE_MACHINE, RELEASE, CLONE = "bare", "release", "clone"

#: The load client's status 6 says that its own machine was the limit: on a busy one that is no failure.
STRICT = "set -uE; trap 'status=$?; [ $status = 6 ] || exit $status' ERR\n"


def parts(where):
    """The commands of the first hour that run in such a place, by the heading above them."""
    found, heading = {}, None
    document = (ROOT / "docs/first-hour.md").read_text(encoding="utf-8")
    for title, place, commands in re.findall(r"(?ms)^## (.*?)$|^```sh (\w+)\n(.*?)^```$", document):
        heading = title or heading
        if place == where:
            found[heading] = found.get(heading, "") + commands
    return found


def script(commands):
    """One shell for all of them, as a reader has; it says how long each part took."""
    return STRICT + "".join(f'began=$SECONDS\n{text}\nprintf "\\nTOOK %s s: {title}\\n" $((SECONDS - began))\n' for title, text in commands.items())


def took(said):
    return {title: int(seconds) for seconds, title in re.findall(r"(?m)^TOOK (\d+) s: (.*)$", said)}


def demo_sample():
    """What stands before the figures in README's sample of a demo."""
    sample = re.search(r"(?ms)^```\n(PASS .*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    return re.findall(r"(?:^|  )([A-Za-z][A-Za-z0-9 ]*?) {3,}[\d,.]", sample, re.M)


def dist():
    """The archive of these sources."""
    return Path(re.search(r"(?m)^(/.*\.tar\.gz),", call(LAUNCHER, "dist", timeout=1800))[1])


@check("release", "the archive on a bare machine with a JRE 25: first chat within a minute, loads, a Tomcat, an exact record", 70,
       needs=("linux", "root", "debootstrap", "maven"), uses_programs=True)
def release(run):
    """The first hour's parts that need nothing else. Without a network, as a user of no rights."""
    call(ROOT / "infra/bare", "make", BARE, skips=4)
    home = run.directory / "home"
    home.mkdir()
    made = run.session.share("dist", dist)
    for file in (made, Path(f"{made}.sha256"), tomcat_archive()):
        shutil.copy(file, home / file.name.replace("tomcat-", "apache-tomcat-"))
    more = ("sha256sum --quiet -c SHA256SUMS\n./chatflow demo --audit --rooms 2 --room-size 5 --messages 50\n"
            '{ ./chatflow test || echo "refused with $?"; } 2>&1\nkill $(jobs -p)\n')
    (home / "script").write_text(script(parts(BARE_MACHINE)) + more, encoding="utf-8")
    said = call(ROOT / "infra/bare", "run", BARE, home)
    run.say(said)
    seconds = took(said)
    expect(seconds.keys() == parts(BARE_MACHINE).keys(), f"not all parts came to their end: {seconds}")
    expect(seconds["The first chat"] <= FIRST_CHAT_SECONDS, f"{seconds}")
    expect("ann: hello, room" in said, "nobody chatted")
    missing = [label for label in demo_sample() if label not in said]
    expect(not missing, f"README's sample of a demo has lines that no demo prints: {missing}")
    expect("AUDIT PASS" in said, "the record is not what was sent")
    expect("test needs the sources" in said and "refused with 2" in said, "a verb of the sources is not refused")
    return ", ".join(f"{title} {spent} s" for title, spent in seconds.items())


@check("first-hour", "what docs/first-hour.md does with a JDK, with the sources and with RabbitMQ", 60,
       needs=("linux", "root", "ip", "rabbitmq", "maven"), uses_programs=True)
def first_hour(run):
    """In a network of its own, where the usual ports are free."""
    made = run.session.share("dist", dist)
    call("tar", "xzf", made, "-C", run.directory)
    unpacked = run.directory / made.name.removesuffix(".tar.gz")
    told = []
    for where, folder in ((RELEASE, unpacked), (CLONE, ROOT)):
        commands = parts(where)
        expect(commands, f"the first hour has no part for {where}")
        inside = f'ip link set lo up; cd "{run.directory}"\n' + STRICT
        if where == CLONE:  # its files do not go among the sources
            commands = {title: text.replace("./chatflow ", f'"{folder}/chatflow" ').replace("infra/", f'"{folder}"/infra/').replace(
                "mvn ", f'mvn -f "{folder}" ') for title, text in commands.items()}
        else:
            inside += f'cd "{folder}"\n'
        file = run.directory / f"{where}.sh"
        file.write_text(inside + script(commands), encoding="utf-8")
        home = run.directory / "home"
        home.mkdir(exist_ok=True, mode=0o755)
        said = call("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", file, environment=own_environment(
            HOME=home, PATH=f"{Path(java()).parent}:{os.environ['PATH']}", MAVEN_OPTS=f"-Duser.home={Path.home()}"))
        run.say(said)
        expect(took(said).keys() == commands.keys(), f"not all of {', '.join(commands)} came to its end")
        told += [f"{title} {spent} s" for title, spent in took(said).items()]
    return ", ".join(told)


@check("release-twice", "the same archive, byte by byte, from a clone of this commit in another place", 150, when=NAMED, needs=("maven",))
def release_twice(run):
    """What is not committed is in no clone."""
    if call("git", "-C", ROOT, "status", "--porcelain").strip():
        raise Skipped("there are changes that no commit has")
    made, clone = run.session.share("dist", dist), run.directory / "clone"
    call("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone)
    run.say(call(clone / "chatflow", "dist", timeout=1800))
    again = clone / made.relative_to(ROOT)
    expect(made.read_bytes() == again.read_bytes(), f"{made} and {again} differ: compare their SHA256SUMS")
    return Path(f"{made}.sha256").read_text(encoding="utf-8").split()[0]
