"""Plain English: phrases that the style guide rules out, in everything a person reads."""
import re
from collections import defaultdict

from ..common import ROOT, Problem, call
from .registry import DEFAULT, check

#: Hits of weaker rules that a group of texts may have in a thousand words.
ALLOWED = 2.0

RULES = "infra/prose.tsv"

CODE = re.compile(r"`[^`]*`|https?://\S+|\]\([^)]*\)|<!--.*?-->|\$\{[^}]*\}|\{@\w+ [^}]*\}|<[^>]+>")
WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|' + r"'((?:[^'\\\n]|\\.)*)'")


def rules():
    """The rules as (is an error, pattern, advice)."""
    rows = [line.split("\t") for line in (ROOT / RULES).read_text().splitlines() if line and not line.startswith("#")]
    return [(level == "error", re.compile(pattern), advice) for level, pattern, advice in rows]


def markdown(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def sentences_in(strings):
    """Strings of three words or more: shorter ones are names."""
    return [text for text in strings if text.count(" ") >= 2]


def source(text, comment):
    """Comments and string literals of a program, by a pattern whose first group is a comment's text."""
    for found in re.finditer(comment, text, re.S | re.M):
        first = text.count("\n", 0, found.start()) + 1
        for offset, line in enumerate(found.group(found.lastindex).splitlines()):
            yield first + offset, line.strip().lstrip("*# ")
    for number, line in enumerate(re.sub(comment, lambda found: "\n" * found.group().count("\n"), text, flags=re.S | re.M).splitlines(), 1):
        for string in sentences_in(first or second for first, second in STRING.findall(line)):
            yield number, string


C_COMMENT = r"/\*+(.*?)\*/|(?<![:\"'])//[ \t](.*?)$"
HASH_COMMENT = r"(?:^|\s)#:?[ \t]([^\n]*)$|\"\"\"(.*?)\"\"\""

READERS = {
    ".md": markdown,
    ".java": lambda text: source(text, C_COMMENT),
    ".js": lambda text: source(text, C_COMMENT),
    ".ts": lambda text: source(text, C_COMMENT),
    ".py": lambda text: source(text, HASH_COMMENT),
    ".sh": lambda text: source(text, HASH_COMMENT),
    ".html": lambda text: enumerate(re.sub(r"(?s)<(script|style).*?</\1>", lambda found: "\n" * found.group().count("\n"), text).splitlines(), 1),
    ".yml": lambda text: ((number, line) for number, line in enumerate(text.splitlines(), 1) if re.match(r"\s*(summary|description):|\s*#", line)),
}


def group(name):
    """The group of texts to which a file belongs, or None if it is not judged."""
    if name.startswith(("docs/lab/", "docs/protocol/samples/")) or re.search(r"/tests?/", name):
        return None
    for suffix, title in ((".md", "documents"), (".java", "Java"), (".js", "pages and JavaScript"), (".ts", "pages and JavaScript"),
                          (".html", "pages and JavaScript"), (".py", "Python and scripts"), (".sh", "Python and scripts")):
        if name.endswith(suffix):
            return title
    return "alerts" if name.startswith("infra/monitoring/rules/") and name.endswith(".yml") and ".test." not in name else None


def judged(text, suffix, forbidden):
    """The number of words of a text, and its hits as (line, is an error, phrase, advice)."""
    words, hits = 0, []
    for number, line in READERS[suffix](text):
        line = CODE.sub(" x ", line)
        words += len(WORD.findall(line))
        hits += [(number, is_error, found.group().strip(), advice) for is_error, pattern, advice in forbidden for found in pattern.finditer(line)]
    return words, hits


@check("prose", "plain English in documents, pages, comments and messages", 5, when=DEFAULT)
def prose(run):
    """The rules find patterns, not quality: a text that passes may still be bad."""
    forbidden, words, hits, errors = rules(), defaultdict(int), defaultdict(int), 0
    for name in sorted(call("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard").split("\n")):
        file, title = ROOT / name, group(name)
        if title is None or not file.is_file():
            continue
        count, found = judged(file.read_text(errors="replace"), file.suffix, forbidden)
        words[title] += count
        hits[title] += len(found)
        errors += sum(is_error for _, is_error, _, _ in found)
        for number, is_error, phrase, advice in found:
            run.say(f"{name}:{number}: {'error' if is_error else 'warning'}: \"{phrase}\": {advice}")
    rates = {title: 1000 * hits[title] / max(words[title], 1) for title in words}
    table = ", ".join(f"{title} {rate:.1f}" for title, rate in rates.items())
    if errors or max(rates.values()) > ALLOWED:
        raise Problem(f"{errors} phrases that are never right, and hits in 1,000 words: {table} (at most {ALLOWED:g}); the log lists them with advice")
    return f"hits in 1,000 words: {table}"
