import base64
import io
import json
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

from chatflow_infra import dist
from chatflow_infra.common import Problem


class ArchiveTest(unittest.TestCase):
    def test_its_bytes_depend_on_the_files_alone(self):
        files = {"chatflow": b"#!/bin/sh\n", "lib/a.jar": b"a", "README.md": b"read"}
        first = dist.archive("chatflow-1", files, {"chatflow"}, 1_700_000_000)
        again = dist.archive("chatflow-1", dict(reversed(files.items())), {"chatflow"}, 1_700_000_000)
        self.assertEqual(first, again)
        with tarfile.open(fileobj=io.BytesIO(first)) as tar:
            told = {one.name: (one.mode, one.mtime, one.uid, one.uname) for one in tar}
        self.assertEqual((0o755, 1_700_000_000, 0, ""), told["chatflow-1/chatflow"])
        self.assertEqual((0o644, 1_700_000_000, 0, ""), told["chatflow-1/lib/a.jar"])


class PartsTest(unittest.TestCase):
    """Programs with one jar inside, and with classes of another."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.jar("a-1.jar", {"a/A.class": "", "META-INF/NOTICE": "thanks to a"})
        self.jar("b-2.jar", {"b/B.class": ""})
        self.jar("left-3.jar", {"left/Out.class": ""})
        self.war = self.jar("chatflow.war", {"WEB-INF/lib/a-1.jar": "", "WEB-INF/lib/chatflow-consumer-lib-1.0.0.jar": ""})
        self.client = self.jar("chatflow-client.jar", {"b/B.class": "", "dev/chatflow/Main.class": ""})

    def jar(self, name, entries):
        with zipfile.ZipFile(self.place / name, "w") as jar:
            for entry, text in entries.items():
                jar.writestr(entry, text)
        return self.place / name

    def parts(self, licence_of_b):
        def component(name, version, licence, group="them"):
            return {"group": group, "name": name, "version": version, "bom-ref": name, "licenses": [{"license": licence}]}
        listed = {
            "metadata": {"component": {"bom-ref": "root"}},
            "components": [component("a", "1", {"name": "its own"}), component("b", "2", licence_of_b), component("left", "3", {"id": "MIT"}),
                           component("chatflow-client", "1.0.0", {"id": "Apache-2.0"}, dist.OWN)],
            "dependencies": [{"ref": "root", "dependsOn": ["chatflow-client"]}, {"ref": "chatflow-client", "dependsOn": ["b", "left"]},
                             {"ref": "left"}],
        }
        (self.place / "parts.json").write_text(json.dumps(listed), encoding="utf-8")
        return dist.Parts(self.place / "parts.json", self.place, (self.war, self.client))

    def test_what_programs_leave_out_is_not_listed(self):
        parts = self.parts({"id": "MIT", "text": {"content": base64.b64encode(b"permission").decode()}})
        told = json.loads(parts.json())
        self.assertEqual(["a", "b", "chatflow-client"], [one["name"] for one in told["components"]])
        self.assertEqual([["chatflow-client"], ["b"]], [one["dependsOn"] for one in told["dependencies"]])
        files = parts.files()
        self.assertEqual({"licences/MIT.txt", "licences/a-1/NOTICE", "licences/README.txt"}, set(files))
        self.assertIn(b"its own", files["licences/README.txt"])

    def test_a_part_without_any_licence_text_stops_the_release(self):
        with self.assertRaisesRegex(Problem, "b-2: no licence text"):
            self.parts({"name": "who knows"}).files()

    def test_a_jar_that_nobody_listed_stops_the_release(self):
        self.war = self.jar("chatflow.war", {"WEB-INF/lib/a-1.jar": "", "WEB-INF/lib/stranger-9.jar": ""})
        with self.assertRaisesRegex(Problem, "stranger-9.jar"):
            self.parts({"id": "MIT"})


if __name__ == "__main__":
    unittest.main()
