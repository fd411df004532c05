"""Makes a release: one archive, the same bytes from the same commit, in target/dist.

Usage: ./chatflow dist

chatflow-VERSION.tar.gz contains the launcher, the programs (lib), the packages of the client libraries (packages), the
documents, the files of infra that deployments need, licences of all parts, the list of these (parts.json, CycloneDX) and a SHA-256 of every file (SHA256SUMS).
The archive's own SHA-256 is next to it. A machine needs only a JRE 25. Building needs Maven, git and python3.
"""
import base64
import gzip
import hashlib
import io
import json
import re
import tarfile
import zipfile
from datetime import datetime
from pathlib import Path

from .common import CHAT, CLIENT, CONSUMER, LAUNCHER, ROOT, WAR, Problem, call, expect
from .packages import packages

OUT = ROOT / "target/dist"
PROGRAMS = (WAR, CLIENT, CHAT, CHAT.with_name("chatflow-client-java.jar"), CONSUMER)
#: Versioned files that deployments need.
SOURCES = ("LICENSE", "README.md", "chatflow", "docs", "infra/local", "infra/monitoring", "infra/rabbitmq", "infra/systemd",
           "infra/tomcat")
OWN = "dev.chatflow"
LICENCE_FILE = re.compile(r"(META-INF/)?(LICEN[CS]E|NOTICE|COPYING|COPYRIGHT)[^/]*", re.I)


def pom(pattern):
    return re.search(pattern, (ROOT / "pom.xml").read_text(encoding="utf-8"), re.M)[1]


class Parts:
    """Returns the parts of the programs: Maven's list without excluded parts, and their jars."""

    def __init__(self, listed, jars, programs):
        self.listed = json.loads(listed.read_text(encoding="utf-8"))
        self.jars, inside = jars, Parts._inside(programs)
        kept = [c for c in self.listed["components"] if c["group"] == OWN or self._is_inside(c, inside)]
        unlisted = {name for name in inside if name.endswith(".jar")} - {self._jar(c).name for c in kept}
        expect(not unlisted, f"in the programs but not in {listed}: {', '.join(sorted(unlisted))}")
        references = {c["bom-ref"] for c in kept} | {self.listed["metadata"]["component"]["bom-ref"]}
        self.listed["components"] = kept
        self.listed["dependencies"] = [
            d | {"dependsOn": [on for on in d.get("dependsOn", []) if on in references]}
            for d in self.listed["dependencies"] if d["ref"] in references]
        self.foreign = [c for c in kept if c["group"] != OWN]

    @staticmethod
    def _inside(programs):
        """Returns every class and third-party jar of the programs by name."""
        names = set()
        for program in programs:
            for name in zipfile.ZipFile(program).namelist():
                if name.endswith(".jar"):
                    names.add(name.rpartition("/")[2])
                elif name.endswith(".class"):
                    names.add(name)
        return {name for name in names if not re.match(r"chatflow-.*\.jar", name)}

    def _jar(self, component):
        return self.jars / f"{component['name']}-{component['version']}.jar"

    def _is_inside(self, component, inside):
        jar = self._jar(component)
        classes = (name for name in zipfile.ZipFile(jar).namelist()
                   if name.endswith(".class") and not name.startswith("META-INF/") and name != "module-info.class")
        return jar.name in inside or next(classes, None) in inside

    def files(self):
        """Returns licence texts and notices by path; raises Problem for a part without one."""
        files, rows = {}, []
        for component in self.foreign:
            name, texts = f"{component['name']}-{component['version']}", 0
            licences = [entry.get("license", {}) for entry in component.get("licenses", [])]
            for licence in licences:
                if "text" in licence:
                    files[f"licences/{licence['id']}.txt"] = base64.b64decode(licence["text"]["content"])
                    texts += 1
            with zipfile.ZipFile(self._jar(component)) as jar:
                for entry in filter(LICENCE_FILE.fullmatch, jar.namelist()):
                    files[f"licences/{name}/{entry.rpartition('/')[2]}"] = jar.read(entry)
                    texts += 1
            expect(texts, f"{name}: no licence text in its jar or for its licence's name")
            rows.append(f"{name:50} {', '.join(one.get('id') or one.get('name', '') for one in licences)}")
        rows.sort(key=str.lower)
        head = ("Third-party parts of ChatFlow and their licences (of several, any one applies).\n"
                "Texts: one file per licence here, and the texts of a part's archive in a folder with its name.\n\n")
        files["licences/README.txt"] = (head + "\n".join(rows) + "\n").encode()
        return files

    def json(self):
        return (json.dumps(self.listed, indent=1, ensure_ascii=False) + "\n").encode()


def sources():
    """Returns the files of the archive: path in the archive -> file."""
    names = call("git", "-C", ROOT, "ls-files", "-z", "--", *SOURCES).split("\0")
    return {name: ROOT / name for name in names if name}


def archive(prefix, files, programs, seconds):
    """Returns a reproducible tar.gz of the files."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=seconds) as out, \
            tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(f"{prefix}/{name}")
            entry.size, entry.mtime, entry.mode = len(files[name]), seconds, 0o755 if name in programs else 0o644
            tar.addfile(entry, io.BytesIO(files[name]))
    return packed.getvalue()


def release():
    """Creates the archive and returns its path."""
    version, told = pom(r"^  <version>(.*)</version>"), call(LAUNCHER, "--version")
    expect(told.startswith(f"chatflow {version} ("), f"the launcher reports {told}")
    seconds = int(datetime.fromisoformat(pom("<project.build.outputTimestamp>(.*)<").replace("Z", "+00:00")).timestamp())
    parts = Parts(ROOT / "target/parts.json", ROOT / "target/parts", PROGRAMS)
    kept = sources()
    files = {name: file.read_bytes() for name, file in kept.items()}
    files |= {f"lib/{program.name}": program.read_bytes() for program in PROGRAMS}
    made = packages(version, seconds, pom, parts.jars)
    files |= {f"packages/{name}": content for name, content in made.items()}
    files |= parts.files() | {"parts.json": parts.json(), "VERSION": told.encode()}
    files["SHA256SUMS"] = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()
    runnable = {name for name, file in kept.items() if file.stat().st_mode & 0o100}
    OUT.mkdir(parents=True, exist_ok=True)
    made = OUT / f"chatflow-{version}.tar.gz"
    made.write_bytes(archive(f"chatflow-{version}", files, runnable, seconds))
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    Path(f"{made}.sha256").write_text(f"{digest}  {made.name}\n", encoding="utf-8")
    return made


def main(arguments):
    if arguments:
        print(__doc__.strip())
        return 0
    try:
        made = release()
    except Problem as e:
        print(f"chatflow: {e}")
        return 1
    print(f"{made}, {made.stat().st_size / 1e6:.1f} MB\n{Path(f'{made}.sha256').read_text(encoding='utf-8').split()[0]}")
    return 0
