"""Tests a release: on a bare machine, with the commands of tutorials and guides, and built twice."""
import json
import os
import re
import shutil
import urllib.request
from pathlib import Path

from ..common import LAUNCHER, ROOT, Skipped, call, expect, fetch, free_port, java, own_environment, tomcat_archive, wait_until
from .registry import NAMED, check

#: Kept on the machine, because it takes a minute to install.
BARE = Path("/var/lib/chatflow/bare-jre-25")
#: Maximum seconds from the archive to the first text in a room.
FIRST_CHAT_SECONDS = 60
UNTIL_FIRST_CHAT = ("Unpack it", "Start a server", "Chat")

#: The pages whose commands these checks run, in this order.
PAGES = ("tutorials/first-chat.md", "how-to/run-one-server.md", "tutorials/chat-page-and-bot.md", "how-to/monitor.md", "contributing/testing.md")

#: The machine for the commands of a block: with only Java, in an unpacked release with a JDK, or in a clone.
BARE_MACHINE, RELEASE, CLONE = "bare", "release", "clone"

#: A block of commands is marked with its place and, if needed, with its terminal: "server" keeps running in a terminal of
#: its own, and "stopped" means that the reader stops that server first.
SERVER, STOPPED = "server", "stopped"

#: Output of a ready program: a server, the example's bot, the JDK's web server.
STARTED = "^(ready|in room|URL )"
BLOCK = re.compile(r"(?ms)^## (.*?)$|^```sh (\w+)(?: (\w+))?\n(.*?)^```$")

#: Status 6 of the load client means that its machine was the bottleneck, which is no failure on a busy one.
STRICT = "set -uE; trap 'status=$?; [ $status = 6 ] || exit $status' ERR\n"
STOP_SERVERS = "running=$(jobs -pr); [ -z \"$running\" ] || { kill $running; wait; }\n"


def pages(where):
    """Returns the command blocks for this machine, {page: {heading: [(commands, terminal)]}}."""
    found = {}
    for page in PAGES:
        heading = None
        for title, place, terminal, commands in BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
            heading = title or heading
            if place == where:
                found.setdefault(page, {}).setdefault(heading, []).append((commands, terminal))
    return found


def headings(parts):
    return [heading for blocks in parts.values() for heading in blocks]


def script(parts):
    """Returns a script for all pages in one shell, which prints the time of each section. Servers end with their page."""
    text, servers = STRICT, 0
    for blocks in parts.values():
        for heading, block in blocks.items():
            text += "began=$SECONDS\n"
            for commands, terminal in block:
                text += STOP_SERVERS if terminal == STOPPED else ""
                if terminal == SERVER:
                    servers += 1
                    log = f'"$HOME/server-{servers}.log"'
                    text += (f": > {log}\n"  # an earlier script's server may have left one that says ready
                             f"{commands.strip()} >> {log} 2>&1 &\n"
                             f"until grep -qE '{STARTED}' {log}; do kill -0 $!; sleep 0.2; done; cat {log}\n")
                else:
                    text += f"{commands}\n"
            text += f'printf "\\nTOOK %s s: {heading}\\n" $((SECONDS - began))\n'
        text += STOP_SERVERS
    return text


def took(said):
    return {title: int(seconds) for seconds, title in re.findall(r"(?m)^TOOK (\d+) s: (.*)$", said)}


def demo_sample():
    """Returns the labels of the figures in README's sample of a demo."""
    sample = re.search(r"(?ms)^```\n(PASS .*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    return re.findall(r"(?:^|  )([A-Za-z][A-Za-z0-9 ]*?) {3,}[\d,.]", sample, re.M)


@check("release", "the archive on a bare machine with a JRE 25: first chat within a minute, loads, a Tomcat, an exact record", 70,
       needs=("linux", "root", "debootstrap", "maven"), uses_programs=True, uses_release=True)
def release(run):
    """Runs the sections without other requirements, without a network and as an unprivileged user."""
    call(ROOT / "infra/bare", "make", BARE, skips=4)
    home = run.directory / "home"
    home.mkdir()
    made = run.session.release()
    for file in (made, Path(f"{made}.sha256"), tomcat_archive()):
        shutil.copy(file, home / file.name.replace("tomcat-", "apache-tomcat-"))
    parts = pages(BARE_MACHINE)
    more = ("sha256sum --quiet -c SHA256SUMS\n./chatflow demo --audit --rooms 2 --room-size 5 --messages 50\n"
            '{ ./chatflow test || echo "refused with $?"; } 2>&1\n')
    (home / "script").write_text(script(parts) + more, encoding="utf-8")
    said = call(ROOT / "infra/bare", "run", BARE, home)
    run.say(said)
    seconds = took(said)
    expect(list(seconds) == headings(parts), f"some sections did not complete: {seconds}")
    expect(sum(seconds[heading] for heading in UNTIL_FIRST_CHAT) <= FIRST_CHAT_SECONDS, f"{seconds}")
    expect("ann: hello, room" in said, "nobody chatted")
    missing = [label for label in demo_sample() if label not in said]
    expect(not missing, f"README's sample of a demo has lines that no demo prints: {missing}")
    expect("AUDIT PASS" in said, "the archive differs from the sent messages")
    expect("test needs the sources" in said and "refused with 2" in said, "a verb that needs sources is not rejected")
    return ", ".join(f"{title} {spent} s" for title, spent in seconds.items())


def in_sources(commands, folder):
    """Returns the same commands for another directory."""
    return commands.replace("./chatflow ", f'"{folder}/chatflow" ').replace("infra/", f'"{folder}"/infra/').replace("mvn ", f'mvn -f "{folder}" ')


@check("first-hour", "the commands of tutorials and guides with a JDK, the sources and RabbitMQ", 60,
       needs=("linux", "root", "ip", "rabbitmq", "maven"), uses_programs=True, uses_release=True)
def first_hour(run):
    """Runs in a separate network, where the usual ports are free."""
    made = run.session.release()
    call("tar", "xzf", made, "-C", run.directory)
    unpacked = run.directory / made.name.removesuffix(".tar.gz")
    told = []
    for where, folder in ((RELEASE, unpacked), (CLONE, ROOT)):
        parts = pages(where)
        expect(parts, f"no page has commands for {where}")
        inside = f'ip link set lo up; cd "{run.directory}"\n' + STRICT
        if where == CLONE:  # keeps its files outside the sources
            parts = {page: {title: [(in_sources(commands, folder), terminal) for commands, terminal in block] for title, block in blocks.items()}
                     for page, blocks in parts.items()}
        else:
            inside += f'cd "{folder}"\n'
        file = run.directory / f"{where}.sh"
        file.write_text(inside + script(parts), encoding="utf-8")
        home = run.directory / "home"
        home.mkdir(exist_ok=True, mode=0o755)
        said = call("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", file, environment=own_environment(
            HOME=home, PATH=f"{Path(java()).parent}:{os.environ['PATH']}", MAVEN_OPTS=f"-Duser.home={Path.home()}"))
        run.say(said)
        expect(list(took(said)) == headings(parts), f"not all of {', '.join(headings(parts))} completed")
        told += [f"{title} {spent} s" for title, spent in took(said).items()]
    return ", ".join(told)


@check("packages", "projects outside this one install the packages of both libraries by one line each; the Spring Boot example runs with Java 21", 90,
       needs=("node", "maven"), uses_programs=True, uses_release=True)
def packages(run):
    call("tar", "xzf", run.session.release(), "-C", run.directory, "--strip-components=1")
    tarball, = (run.directory / "packages").glob("*.tgz")
    page = run.directory / "page"
    page.mkdir()
    run.say(call("npm", "install", "--no-audit", "--no-fund", tarball, directory=page))
    (page / "use.mjs").write_text("import { ChatFlow } from '@chatflow/client'; new ChatFlow('http://localhost/', { user: { id: '1', name: 'ann' }, WebSocket: class {} }).room('5');", encoding="utf-8")
    run.say(call("node", "use.mjs", directory=page))
    library, = (run.directory / "packages").glob("*.pom")
    version = library.stem.rpartition("-")[2]
    installed = Path.home() / ".m2/repository/dev/chatflow/chatflow-client-java"
    was_there = installed.exists()
    run.say(call("mvn", "-q", "-B", "install:install-file", f"-Dfile={library.with_suffix('.jar')}", f"-DpomFile={library}", timeout=600))
    example = run.directory / "docs/examples/spring-boot"
    run.say(call("mvn", "-q", "-B", "package", f"-Dchatflow.version={version}", directory=example, timeout=600))
    if not was_there:
        shutil.rmtree(installed)
    greeted(run, example / "target/chat-1.jar")
    resumed(run, library.with_suffix(".jar"))
    documented = (run.directory / "docs/how-to/embed.md").read_text(encoding="utf-8")
    for line in (f"npm install packages/{tarball.name}", f"mvn install:install-file -Dfile=packages/{library.stem}.jar -DpomFile=packages/{library.name}"):
        expect(line in documented, f"docs/how-to/embed.md does not have: {line}")
    return version


def greeted(run, jar):
    """Checks that the example gives a user a token, and that its bot answers the user."""
    key = run.directory / "token.key"
    key.write_text("0123456789abcdef" * 2, encoding="utf-8")
    server, port = run.site.server(CHATFLOW_TOKEN_KEYS=key), free_port()
    run.site.java("example", "-jar", jar, f"--chat.url={server.http}/", f"--chat.key={key}", f"--server.port={port}").await_line("Started ChatApplication")
    token = fetch(f"http://localhost:{port}/token?user=17&name=ann")
    room = f"{server.http}/api/rooms/lobby/messages"
    wait_until(lambda: "bot" in authorized(room, token), "the bot is in the room")
    authorized(room, token, b'{"text":"hello"}')
    wait_until(lambda: "hello ann" in authorized(room, token), "the bot answers")


def resumed(run, library):
    """Checks that the bot answers a message that was sent while it was stopped."""
    server, bot = run.site.server(), run.directory / "docs/examples/ResumingBot.java"
    client = run.directory / "lib/chatflow-client.jar"
    room = f"{server.http}/api/rooms/lobby/messages"
    for name in ("ann", "bob"):
        hello = {"messageType": "TEXT", "userId": 17, "username": name, "message": "hello", "timestamp": "2026-11-20T18:46:00Z"}
        if name == "bob":
            posted(room, hello)
        started = run.site.java(f"bot-{name}", "-cp", f"{library}:{client}", bot, f"{server.http}/", run.directory / "position")
        started.await_line("in room lobby")
        if name == "ann":
            posted(room, hello)
        wait_until(lambda: f"hello {name}" in fetch(room), f"the bot answers {name}")
        started.process.kill()
    expect(fetch(room).count("hello ann") == 1, "the restarted bot answered ann again")


def posted(url, message):
    request = urllib.request.Request(url, json.dumps(message).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        expect(answer.status == 201, f"the post was answered with {answer.status}")


def authorized(url, token, body=None):
    request = urllib.request.Request(url, body, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


@check("release-twice", "the same archive, byte by byte, from a clone of this commit in another directory", 150, when=NAMED, needs=("maven",), uses_release=True)
def release_twice(run):
    """Requires committed sources, because a clone has no other changes."""
    if call("git", "-C", ROOT, "status", "--porcelain").strip():
        raise Skipped("there are uncommitted changes")
    made, clone = run.session.release(), run.directory / "clone"
    call("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone)
    run.say(call(clone / "chatflow", "dist", timeout=1800))
    again = clone / made.relative_to(ROOT)
    expect(made.read_bytes() == again.read_bytes(), f"{made} and {again} differ: compare their SHA256SUMS")
    return Path(f"{made}.sha256").read_text(encoding="utf-8").split()[0]
