"""The packages of the client libraries, for programs outside this project; the same bytes from the same commit."""
import io
import tempfile
import time
import zipfile
from pathlib import Path

from .common import CHAT, ROOT, call, java

JAVA = ROOT / "client/java/src/main/java"
#: Built with the server, which serves it, too.
JAVASCRIPT = ROOT / "server/target/classes/dev/chatflow/server/http/chatflow-client.tgz"
#: An internal package, which the documentation leaves out.
INTERNAL = "dev.chatflow.chat.link"

POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev.chatflow</groupId>
  <artifactId>chatflow-client-java</artifactId>
  <version>{version}</version>
  <name>ChatFlow Java library</name>
  <licenses><license><name>Apache-2.0</name></license></licenses>
  <dependencies>
    <dependency><groupId>com.google.code.gson</groupId><artifactId>gson</artifactId><version>{gson}</version></dependency>
    <dependency><groupId>org.jspecify</groupId><artifactId>jspecify</artifactId><version>{jspecify}</version></dependency>
  </dependencies>
</project>
"""


def packages(version, seconds, pom, jars):
    """Returns their files by name.

    pom(pattern): a value of the root pom; jars: the folder of the third-party jars.
    """
    versions = {name: pom(f"<{name}.version>(.*)<") for name in ("gson", "jspecify")}
    name = f"chatflow-client-java-{version}"
    return {
        f"{name}.jar": CHAT.with_name("chatflow-client-java.jar").read_bytes(),
        f"{name}.pom": POM.format(version=version, **versions).encode(),
        f"{name}-sources.jar": archived(files(JAVA), seconds),
        f"{name}-javadoc.jar": archived(javadoc(f"{jars}/*"), seconds),
        f"chatflow-client-{version}.tgz": JAVASCRIPT.read_bytes(),
    }


def files(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def javadoc(classpath):
    with tempfile.TemporaryDirectory() as made:
        call(Path(java()).with_name("javadoc"), "-quiet", "-notimestamp", "-Xdoclint:none", "-d", made, "-classpath", classpath,
             "-sourcepath", JAVA, "-subpackages", "dev.chatflow.chat", "-exclude", INTERNAL, timeout=300)
        return files(Path(made))


def archived(content, seconds):
    """Returns a reproducible jar."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as jar:
        for name in sorted(content):
            jar.writestr(zipfile.ZipInfo(name, time.gmtime(seconds)[:6]), content[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()
