"""What check and live need of dashboards, rules and PromQL: which expressions there are, and what they are made of."""

import json
import pathlib
import re

import yaml

HERE = pathlib.Path(__file__).resolve().parent
# Where Helm packages them.
FILES = HERE.parent / "helm/kvorum/files"
# Beside `kvorum_…`, but for the label: what Micrometer's binders expose, and our recorded series.
METRIC = re.compile(r"\b(?:kvorum(?!_cluster\b)|jvm|process|system|logback)_\w+|\bkvorum:\w+:\w+")
SET_OPERATOR = re.compile(r"\b(and|or|unless)\b(\s*(?:on|ignoring)\s*\([^)]*\))?")
COMPARISON = re.compile(r"(==|!=|>=|<=|>|<)(?!\s*bool\b)")
NUMBER = re.compile(r"^[\d.eE*+\-/ ]+$")


def dashboards():
    return {path: json.loads(path.read_text()) for path in sorted((FILES / "dashboards").glob("*.json"))}


def rule_files():
    return {path: yaml.safe_load(path.read_text()) for path in sorted((FILES / "alerts").glob("*.yaml"))}


def rules():
    return [rule for file in rule_files().values() for group in file["groups"] for rule in group["rules"]]


def panels(dashboard):
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def expressions(dashboard):
    """(what it is of, expression) of each panel and annotation."""
    for panel in panels(dashboard):
        for target in panel["targets"]:
            yield f"{panel['title']} {target['refId']}", target["expr"]
    for annotation in dashboard["annotations"]["list"]:
        yield f"annotation {annotation['name']}", annotation["expr"]


def metrics(expression):
    """The names of series in an expression, those in quotes left out."""
    return set(METRIC.findall(re.sub(r'"[^"]*"', '""', expression)))


def flat(expression):
    """The expression with everything in brackets and quotes blanked, so that what is found is at the top."""
    made, depth, quote = [], 0, None
    for letter in expression:
        if quote:
            quote = None if letter == quote else quote
            made.append(" ")
        elif letter in "\"'":
            quote = letter
            made.append(" ")
        elif letter in "([{":
            depth += 1
            made.append("(" if depth == 1 else " ")
        elif letter in ")]}":
            depth -= 1
            made.append(")" if depth == 0 else " ")
        else:
            made.append(letter if depth == 0 else " ")
    return "".join(made)


def conditions_off(expression):
    """The parts of an expression that have to return data whether or not its condition holds: what `and`, `or` and `unless` join,
    each without the bound it is compared with, and what `absent` asks for."""
    expression = expression.strip()
    top = flat(expression)
    joined = list(SET_OPERATOR.finditer(top))
    if joined:
        begin = 0
        for found in joined:
            yield from conditions_off(expression[begin : found.start()])
            begin = found.start() + len(found.group(1)) + spaces_and_labels(expression, found)
        yield from conditions_off(expression[begin:])
        return
    compared = list(COMPARISON.finditer(top))
    if compared:
        last = compared[-1]
        for side in (expression[: last.start()], expression[last.end() :]):
            if not NUMBER.match(side.strip()):
                yield from conditions_off(side)
        return
    within = re.match(r"^(?:absent)?\((.*)\)$", expression, re.DOTALL)
    if within and top.count("(") == 1:
        yield from conditions_off(within.group(1))
    elif expression:
        yield expression


def spaces_and_labels(expression, found):
    """How long `on (…)` is behind an operator; its labels are blanked in what was searched."""
    return len(found.group(2) or "")
