"""Tests the JavaScript library on a fake clock and network, and its React example in a browser."""
import json
import shutil
import sys

from ..common import ROOT, Problem, Skipped, call, expect, free_port, listens, wait_until
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


@check("react", "docs/examples/react, outside of this tree, with the npm package that a server serves: two people, one of them with two windows, chat in Chromium",
       20, needs=("node", "headless-chromium"), uses_programs=True)
def react(run):
    page = run.directory / "page"
    shutil.copytree(ROOT / "docs/examples/react", page, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(TESTS / "react.mjs", page)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    server = run.site.server(CHATFLOW_ORIGINS=address).http
    try:
        run.say(call("npm", "install", "--no-audit", "--no-fund", f"{server}/lib/chatflow-client.tgz", "puppeteer-core@24", directory=page, timeout=120))
    except Problem as e:
        raise Skipped("npm cannot install React") from e
    run.say(call("npm", "run", "build", directory=page))
    run.site.start("page", sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", page)
    wait_until(lambda: listens(port), "the page is served")
    browser = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))))
    run.say(call("node", "react.mjs", browser, address + "/", server, directory=page, timeout=120))
