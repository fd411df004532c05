"""Tests the JavaScript library on a fake clock and network."""
import json
import shutil

from ..common import ROOT, call, expect
from .registry import DEFAULT, check

TESTS = ROOT / "server/src/test/js"
LIBRARY = ROOT / "server/src/main/webapp/lib"


@check("library", "the JavaScript library on a fake clock and network, the figures of the operations page, the npm package", 5, when=DEFAULT,
       needs=("node",))
def library(run):
    said = call("node", "--test", *sorted(TESTS.glob("*.test.mjs")))
    run.say(said)
    if shutil.which("npm"):
        packed = json.loads(call("npm", "pack", "--dry-run", "--json", directory=LIBRARY))[0]["files"]
        expect({file["path"] for file in packed} == {file.name for file in LIBRARY.iterdir()}, f"npm packs {packed}")
    return f"{said.count(chr(10) + 'ok ')} tests"
