"""Compares every version in this project with the versions that fix published vulnerabilities."""

import re
import unittest

from chatflow_infra.common import ROOT


def named():
    """Returns versions by name: properties of pom.xml, images of compose.yaml and Dockerfile."""
    text = (ROOT / "pom.xml").read_text(encoding="utf-8")
    versions = dict(re.findall(r"<([a-z0-9-]+[.]version)>([0-9][^<]*)</", text))
    for file in ("infra/compose/compose.yaml", "Dockerfile"):
        images = re.findall(r"(?::-|=)([\w./-]+):v?([0-9][\w.]*)", (ROOT / file).read_text(encoding="utf-8"))
        versions |= {name.rsplit("/", 1)[-1]: version for name, version in images}
    return versions


def holes():
    lines = (ROOT / "infra/known-holes.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def parts(version):
    return [int(number) for number in re.findall(r"[0-9]+", version.split("-")[0])]


class VersionsTest(unittest.TestCase):

    def test_no_version_has_a_known_hole(self):
        versions = named()
        for name, fixed, hole in holes():
            self.assertIn(name, versions, "what is not named any more leaves the list, too")
            self.assertGreaterEqual(parts(versions[name]), parts(fixed), f"{name} {versions[name]}: {hole}")

    def test_the_javascript_library_has_the_version_of_the_project(self):
        project = re.search(r"(?m)^  <version>(.*)</version>", (ROOT / "pom.xml").read_text(encoding="utf-8"))[1]
        self.assertIn(f'"version": "{project}"', (ROOT / "server/src/main/webapp/lib/package.json").read_text(encoding="utf-8"))

    def test_an_older_version_is_found(self):
        self.assertLess(parts("11.0.25"), parts("11.0.27"))
        self.assertLess(parts("3.0.9-alpine"), parts("3.0.24"))
        self.assertLess(parts("42.7.7"), parts("42.7.14"))

    def test_every_image_has_a_version_in_full(self):
        text = (ROOT / "infra/compose/compose.yaml").read_text(encoding="utf-8")
        for image in re.findall(r"image: (?:&\w+ )?\$\{IMAGE_\w+:-([^}]+)\}", text):
            if image != "chatflow":
                self.assertRegex(image, r":v?[0-9]+([.][0-9]+)+")

    def test_every_container_has_limits(self):
        text = (ROOT / "infra/compose/compose.yaml").read_text(encoding="utf-8")
        services = re.split(r"(?m)^  (\w+):$", text.split("\nservices:\n")[1].split("\nnetworks:\n")[0])[1:]
        found = dict(zip(services[::2], services[1::2], strict=True))
        self.assertIn("cadvisor", found)
        for name, body in found.items():
            self.assertRegex(body, r"(?m)^    cpus: \$\{\w+_CPUS:-[0-9.]+\}$", name)
            self.assertRegex(body, r"(?m)^    mem_limit: \$\{\w+_MEMORY:-[0-9]+[mg]\}$", name)

    def test_containers_are_asked_and_drawn(self):
        self.assertIn('targets: ["cadvisor:8080"]', (ROOT / "infra/compose/prometheus.yml").read_text(encoding="utf-8"))
        self.assertIn('"title": "Containers"', (ROOT / "infra/monitoring/dashboards/host.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
