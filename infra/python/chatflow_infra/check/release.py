"""A release: on a bare machine, and made twice."""
import re
import shutil
from pathlib import Path

from ..common import LAUNCHER, ROOT, Skipped, call, expect
from .registry import LONG, check

#: Kept on the machine: it takes a minute to install.
BARE = Path("/var/lib/chatflow/bare-jre-25")
#: Of the issue: from the archive to the first text in a room.
FIRST_CHAT_SECONDS = 60

FIRST_CHAT = """
set -eu
sha256sum --quiet -c chatflow-*.sha256
tar xzf chatflow-*.tar.gz
cd chatflow-*/
sha256sum --quiet -c SHA256SUMS
./chatflow --version
./chatflow up >up.log &
until grep -q ^ready up.log; do kill -0 $! && sleep 0.1; done
{ echo hello; until grep -q hello chat.log; do sleep 0.1; done; echo /quit; } | ./chatflow chat --name ann | tee chat.log
echo "first chat after $SECONDS s"
kill %1
wait %1
./chatflow demo --audit --rooms 2 --room-size 5 --messages 50
{ ./chatflow test || echo "refused with $?"; } 2>&1
"""


def dist():
    """The archive of these sources."""
    return Path(re.search(r"(?m)^(/.*\.tar\.gz),", call(LAUNCHER, "dist", timeout=1800))[1])


@check("release", "the archive on a bare machine with a JRE 25: first chat within a minute, a proved load, an exact record", 90,
       needs=("linux", "root", "debootstrap", "maven"))
def release(run):
    """Without a network, as a user of no rights."""
    call(ROOT / "infra/bare", "make", BARE, skips=4)
    home = run.directory / "home"
    home.mkdir()
    made = run.session.share("dist", dist)
    for file in (made, Path(f"{made}.sha256")):
        shutil.copy(file, home)
    (home / "script").write_text(FIRST_CHAT, encoding="utf-8")
    said = call(ROOT / "infra/bare", "run", BARE, home)
    run.say(said)
    seconds = int(re.search(r"first chat after (\d+) s", said)[1])
    expect(seconds <= FIRST_CHAT_SECONDS, f"the first chat took {seconds} s")
    expect("AUDIT PASS" in said, "the record is not what was sent")
    expect("test needs the sources" in said and "refused with 2" in said, "a verb of the sources is not refused")
    return f"first chat after {seconds} s"


@check("release-twice", "the same archive, byte by byte, from a clone of this commit in another place", 150, when=LONG, needs=("maven",))
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
