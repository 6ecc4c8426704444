"""What runbooks and docs/operations.md quote has to exist; `check` runs it.

It compares texts of the log, names, paths, HTTP paths, settings, values of the chart, panels and headings with the
sources. README.md has the conventions by which it recognizes each.
"""

import difflib
import getopt
import re
import shlex
import sys

import promql
import yaml

ROOT = promql.HERE.parent
MAIN = tuple(f"{module}/src/main/java" for module in ("app", "cli", "placement", "operator-plan", "operator", "loadtest/verifier"))
# Shell scripts whose output is a log: of a node, of its start-up and of the load generator.
SCRIPTS = ("app/bin/*", "loadtest/*.sh")
# Descriptions of metrics read like log texts and are none.
SILENT = "/dev/kvorum/metrics/"
# In backquotes these begin a command, a request or a query; anything else with a space is a text of the log.
COMMAND = re.compile(r"(kubectl|helm|curl|openssl|make|docker|chronyc|iostat|ethtool|-\S+|GET|PUT|POST|HEAD|DELETE) |.*kvorum_")
# Labels, fields, reasons and alerts: words joined by dashes or by capitals.
NAME = re.compile(r"[a-z]+(-[a-z]+)+|[A-Za-z]*[a-z][A-Z][A-Za-z]*")
# Names that are not Kvorum's own.
FOREIGN = {"ExitOnOutOfMemoryError"}
READS_LOG = (["kubectl", "logs"], ["docker", "logs"])
GAP = "…"

TOKEN = re.compile(r'"""(?P<block>.*?)"""|"(?P<text>(?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
PLACEHOLDER = re.compile(r"\{\d*\}|%[-\d.]*[sdxfn]")
# The leading parts of the repository; the same words after a slash or a dot are of other paths.
PATH = re.compile(r"(?<![\w./:-])(?:app|docs|grafana|helm|k8s|loadtest|operator)/[\w./*-]*[\w*]")


class Sources:
    """What the checked documents may quote."""

    def __init__(self, root=ROOT):
        self.root = root
        self.literals, texts = set(), set()
        for path in (path for folder in MAIN for path in (root / folder).rglob("*.java")):
            code = path.read_text()
            self.literals |= {each["text"] for each in TOKEN.finditer(code) if each["text"]}
            if SILENT not in path.as_posix():
                texts.update(java_texts(code))
        for path in (path for pattern in SCRIPTS for path in root.glob(pattern)):
            texts.update(shell_texts(path.read_text()))
        # A name alone is a label or a field.
        self.texts = sorted(text for text in texts if " " in text)
        self.lines = "\n".join(self.texts)
        self.settings = set(re.findall(r"^\| `([\w.-]+)`", (root / "docs/settings.md").read_text(), re.MULTILINE))
        self.values = yaml.safe_load((root / "helm/kvorum/values.yaml").read_text())
        management = yaml.safe_load((root / "app/src/main/resources/application.yaml").read_text())["management"]
        self.endpoints = set(management["endpoints.web.exposure.include"].split(", "))
        self.health = {name.split(".")[0] for name in management["endpoint.health"]["group"]}
        self.alerts = {rule["alert"] for rule in promql.rules() if "alert" in rule}
        self.panels = {each["title"]: [panel["title"] for panel in promql.panels(each)] for each in promql.dashboards().values()}

    def logs(self, quote, any_case=False):
        """Whether some text has the quoted one, in which `…` stands for anything."""
        parts = (re.escape(part) for part in quote.strip(GAP + " ").split(GAP))
        return re.search(".*".join(parts), self.lines, re.IGNORECASE if any_case else 0)

    def nearest(self, quote):
        """The text that shares most with a quoted one, as a hint."""
        wanted = set(words(quote))
        best = max(self.texts, key=lambda text: (sum(map(len, wanted & set(words(text)))), -len(text)))
        return f"; nearest: “{best[:120]}”" if wanted & set(words(best)) else ""

    def serves(self, path):
        if path.startswith("/v0"):
            return path in self.literals
        _, _, endpoint, *rest = path.split("/")
        if endpoint not in self.endpoints:
            return False
        return not rest or rest[0] in (self.health if endpoint == "health" else self.literals)

    def has_value(self, name):
        found = self.values
        for word in name.split("."):
            # What is empty in values.yaml takes any field.
            if found in ({}, []):
                return True
            if not isinstance(found, dict) or word not in found:
                return False
            found = found[word]
        return True


def words(text):
    return re.findall(r"\w{4,}", text.lower())


def java_texts(code):
    """String literals, those joined by + as one; what is put between them and placeholders are gaps."""
    joined, end = "", None
    for token in TOKEN.finditer(code):
        literal = token["block"] if token["text"] is None else token["text"]
        if literal is None:
            continue
        literal = re.sub(r"\\(.)", lambda escaped: {"n": " ", "t": " "}.get(escaped[1], escaped[1]), literal)
        literal = PLACEHOLDER.sub(GAP, literal)
        between = code[end : token.start()] if end else ""
        if re.fullmatch(r"\s*\+\s*", between):
            joined += literal
        elif is_operand(between):
            joined += GAP + literal
        else:
            yield tidy(joined)
            joined = literal
        end = token.end()
    yield tidy(joined)


def tidy(text):
    """One line; a space at the end means that a value follows."""
    return " ".join(text.split()) + (f" {GAP}" if text.endswith(" ") else "")


def is_operand(code):
    """Whether code between two literals only adds values to them."""
    while code != (code := re.sub(r"\([^()]*\)", "", code)):
        pass
    return re.fullmatch(r"\s*\+[^,;:?(){}]*\+\s*", code)


def shell_texts(code):
    for line in code.splitlines():
        if not line.lstrip().startswith("#"):
            for quoted in re.findall(r'"((?:\\.|[^"\\])*)"|\'([^\']*)\'', line):
                text = re.sub(r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+|%[sd]", GAP, "".join(quoted))
                yield tidy(text)


class Page:
    """A document; problems are collected with their lines."""

    def __init__(self, path, text, sources):
        self.path = path
        self.text = text
        self.sources = sources
        self.problems = []

    def breach(self, at, what):
        line = self.text.count("\n", 0, at) + 1
        self.problems.append(f"{self.path.relative_to(self.sources.root)}:{line}: {what}")

    def check(self):
        # What was looked at is blanked, so that positions stay and the prose remains.
        prose = self.take(r"^```.*?^```", self.text, self.check_block)
        prose = self.take(r"`([^`]+)`", prose, self.check_span)
        self.check_panels(self.take(r"\]\(([^)\s]+)\)", prose, self.check_link))
        self.check_names(re.sub(r"\]\([^)\s]+\)", lambda link: " " * len(link[0]), self.text))
        return self.problems

    @staticmethod
    def take(pattern, text, use):
        for found in re.finditer(pattern, text, re.DOTALL | re.MULTILINE):
            use(found.start(), found[found.re.groups])
        return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL | re.MULTILINE)

    def check_block(self, at, block):
        for line in re.finditer(r"[^\n]+", block.replace("\\\n", "  ")):
            self.check_command(at + line.start(), line[0])

    def check_span(self, at, span):
        # In a table a pipe is escaped.
        if self.text[self.text.rfind("\n", 0, at) + 1] == "|":
            span = span.replace("\\|", "|")
        span = " ".join(span.split())
        if " " not in span:
            if NAME.fullmatch(span) and span not in self.sources.literals | self.sources.alerts | FOREIGN:
                self.breach(at, f"no main source and no alert has the name {span}")
        elif COMMAND.match(span):
            self.check_command(at, span)
        else:
            self.check_log(at, span)

    def check_log(self, at, quote, any_case=False):
        if not self.sources.logs(quote, any_case):
            self.breach(at, f"no main source logs “{quote}”{self.sources.nearest(quote)}")

    def check_command(self, at, command):
        if "grep" not in command:
            return
        try:
            splitter = shlex.shlex(command, posix=True, punctuation_chars="|")
            splitter.whitespace_split, splitter.commenters = True, ""
            stages, reads_log = " ".join(map(shlex.quote, splitter)).split(" '|' "), False
            for stage in map(shlex.split, stages):
                if stage[:1] == ["grep"] and reads_log:
                    self.check_grep(at, stage[1:])
                reads_log |= stage[:2] in READS_LOG
        except (ValueError, getopt.GetoptError) as e:
            self.breach(at, f"“{command}” cannot be read: {e}")

    def check_grep(self, at, arguments):
        options, rest = getopt.gnu_getopt(arguments, "e:A:B:C:m:EFinovw")
        given = [name for name, _ in options]
        patterns = [value for name, value in options if name == "-e"] or rest[:1]
        for pattern in patterns:
            for text in [pattern] if "-F" in given else re.split(r"\|" if "-E" in given else r"\\\|", pattern):
                if "-F" not in given:
                    text = text.replace(".*", GAP)
                    if re.search(r"[][^$*+?{}]|\\[^.]" + (r"|[()]" if "-E" in given else ""), text):
                        self.breach(at, f"grep “{text}” cannot be compared with the sources: use plain text, .* and alternatives")
                        continue
                    text = text.replace("\\.", ".")
                self.check_log(at, text, "-i" in given)

    def check_link(self, at, link):
        target, _, anchor = link.partition("#")
        if "://" in target:
            return
        file = self.path.parent / target if target else self.path
        if target and not file.exists():
            self.breach(at, f"{link} does not exist")
        elif anchor and anchor not in map(slug, headings(self.text if file == self.path else file.read_text())):
            self.breach(at, f"{target or 'this page'} has no heading #{anchor}")

    def check_panels(self, prose):
        """In double quotes there are headings, after the document, and panels, after the dashboard."""
        dashboards = self.sources.panels
        current = None
        for found in re.finditer(r'Kvorum / ([A-Z]\w*(?: [a-z]\w*)*)|(?:(docs/[\w./-]+\.md),\s+)?"([^"]+)"', prose):
            dashboard, document, quoted = found[1], found[2], found[3] and " ".join(found[3].split())
            if dashboard:
                title = f"Kvorum / {dashboard}"
                current = max((each for each in dashboards if f"{title} ".startswith(f"{each} ")), key=len, default=None)
                if not current:
                    self.breach(found.start(), f"there is no dashboard {title}: there are {', '.join(dashboards)}")
            elif document:
                file = self.sources.root / document
                if file.exists() and quoted not in headings(file.read_text()):
                    self.breach(found.start(), f"{document} has no heading “{quoted}”")
            elif not any(quoted in panels for title, panels in dashboards.items() if current in (None, title)):
                self.breach(found.start(3), f"{current or 'no dashboard'} has {'no' if current else 'a'} panel “{quoted}”{self.nearest_panel(quoted)}")

    def nearest_panel(self, quoted):
        names = {f"{title}, {panel}": panel for title, panels in self.sources.panels.items() for panel in panels}
        near = difflib.get_close_matches(quoted, names.values(), 1)
        return "".join(f"; nearest: {name}" for name, panel in names.items() if panel in near)

    def check_names(self, text):
        sources = self.sources
        for found in PATH.finditer(text):
            if not any(sources.root.glob(found[0])):
                self.breach(found.start(), f"the repository has no {found[0]}")
        for found in re.finditer(r"/(?:actuator|v0)/[\w/-]*\w", text):
            if not sources.serves(found[0]):
                self.breach(found.start(), f"no source serves {found[0]}")
        for found in re.finditer(r"kvorum(?:\.[a-z][a-z-]*[a-z]){2,}", text):
            if found[0] not in sources.settings:
                near = difflib.get_close_matches(found[0], sources.settings, 1)
                self.breach(found.start(), f"{found[0]} is not in docs/settings.md{'; nearest: ' + near[0] if near else ''}")
        for found in re.finditer(r"(?:`|--set[ =])((?:cluster|operator|monitoring)\.[\w.]*\w)", text):
            if not sources.has_value(found[1]):
                self.breach(found.start(), f"helm/kvorum/values.yaml has no {found[1]}")


def headings(text):
    return re.findall(r"^#+ (.*)$", text, re.MULTILINE)


def slug(heading):
    """A heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def main():
    sources = Sources()
    pages = [*sorted((promql.HERE / "runbooks").glob("*.md")), ROOT / "docs/operations.md"]
    problems = [problem for path in pages for problem in Page(path, path.read_text(), sources).check()]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(pages)} pages compared with {len(sources.texts)} texts of the sources")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
