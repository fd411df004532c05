"""Measures the code from its sources: files, lines, methods and packages of each part."""
import io
import re
import statistics
import subprocess
import tarfile
from collections import Counter

from ..common import ROOT
from . import figures

#: Part -> (main sources, test sources) in the repository.
PARTS = {
    "consumer-lib": ("consumer-lib/src/main", "consumer-lib/src/test"),
    "server": ("server/src/main", "server/src/test"),
    "client": ("client/src/main", "client/src/test"),
    "lab": ("infra/lab/src/main", "infra/lab/src/test"),
    "infra, Python": ("infra/python/chatflow_infra", "infra/python/tests"),
}
COLUMNS = [("part", "main code"), ("files", "files"), ("lines", "code lines"), ("file", "file median/p90/max"),
           ("method", "method median/p90/p99"), ("tests", "tests/main"), ("package", "most types in a package")]
LITERALS = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
#: The text before the brace of a method or constructor: a parameter list, and exceptions.
HEAD = re.compile(r"\)\s*(?:throws\s+[\w.,\s<>]+)?$")
NO_METHOD = re.compile(r"\b(?:if|for|while|switch|catch|synchronized|try|new|return|else|do)\b[^;{}]*$")


def bare(text):
    """Returns Java without comments and without the contents of literals, with the same lines."""
    def blank(found):
        said = found[0]
        return "\n" * said.count("\n") if said.startswith(("//", "/*")) else '"' + "\n" * said.count("\n") + '"'
    return LITERALS.sub(blank, text)


def code_lines(text):
    return sum(1 for line in text.split("\n") if line.strip())


def method_lengths(text):
    """Returns the number of non-blank body lines of each method, by matching braces."""
    opened, lengths, end_of_last = [], [], 0
    for at, brace in ((found.start(), found[0]) for found in re.finditer("[{};]", text)):
        if brace == "{":
            head = text[end_of_last:at].strip()
            opened.append((at, bool(HEAD.search(head)) and not NO_METHOD.search(head)))
        elif brace == "}" and opened:
            start, is_method = opened.pop()
            if is_method:
                lengths.append(code_lines(text[start + 1:at]))
        end_of_last = at + 1
    return lengths


def python_lines(text):
    """Counts lines that are neither blank nor comments; docstrings are comments."""
    text = re.sub(r'^\s*"""(?:.|\n)*?"""', "", text, flags=re.M)
    return sum(1 for line in text.split("\n") if line.strip() and not line.strip().startswith("#"))


def python_methods(text):
    lengths, lines = [], text.split("\n")
    for i, line in enumerate(lines):
        found = re.match(r"( *)def ", line)
        if found:
            body = []
            for further in lines[i + 1:]:
                if further.strip() and len(further) - len(further.lstrip()) <= len(found[1]) and not further.lstrip().startswith(")"):
                    break
                body.append(further)
            lengths.append(python_lines("\n".join(body)))
    return lengths


def part_row(name, main, tests):
    """Returns a row; `main` and `tests` are pairs of path and text."""
    python = [text for path, text in main if path.endswith(".py")]
    java = [bare(text) for path, text in main if path.endswith(".java")]
    sizes = sorted([*map(code_lines, java), *map(python_lines, python)])
    methods = sorted(length for text in java for length in method_lengths(text)) or \
        sorted(length for text in python for length in python_methods(text))
    of_tests = sum(code_lines(bare(text)) if path.endswith(".java") else python_lines(text) for path, text in tests)
    packages = Counter(path.rsplit("/", 1)[0] for path, _ in main if not path.endswith("__init__.py"))
    return dict(part=name, files=len(sizes), lines=sum(sizes), file=_of(sizes, 50, 90, 100), method=_of(methods, 50, 90, 99),
                tests=f"{of_tests / sum(sizes):.2f}", package=max(packages.values()))


def _of(values, *percents):
    return "/".join(f"{statistics.median(values):.0f}" if percent == 50 else
                    str(values[min(len(values) - 1, len(values) * percent // 100)]) for percent in percents)


def sources(revision):
    """Returns path -> text of every source file, current or in a commit."""
    def wanted(path):
        return path.endswith((".java", ".py")) and not path.endswith("package-info.java")
    if revision:
        archive = subprocess.run(["git", "-C", ROOT, "archive", revision], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            return {file.name: files.extractfile(file).read().decode() for file in files if file.isfile() and wanted(file.name)}
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in listed.stdout.split()
            if wanted(path) and (ROOT / path).exists()}


def add_options(parser):
    """Adds the options of ./chatflow bench code."""
    parser.add_argument("--revision", help="a commit instead of the current files")


def main(options):
    """Prints the table."""
    files = sources(options.revision)
    rows = []
    for name, folders in PARTS.items():
        main, tests = ([(path, text) for path, text in files.items() if path.startswith(folder + "/")] for folder in folders)
        if main:
            rows.append(part_row(name, main, tests))
    print(figures.table(COLUMNS, rows))
    return 0
