"""Our own rules for dashboards, alerts and runbooks; `check` runs it. Prints every breach and fails if there is one."""

import itertools
import json
import re
import sys

import promql
import synthetic
import yaml

CATALOGUE = promql.HERE.parent / "docs" / "metrics.md"
OPERATIONS = promql.HERE.parent / "docs" / "operations.md"
# The operator counts its steps by the names of these records.
STEPS = promql.HERE.parent / "operator-plan/src/main/java/dev/kvorum/operator/plan/Step.java"
UNITS = {"none", "percentunit", "s", "d", "bytes", "Bps", "reqps", "ops", "recps"}
SEVERITIES = {"critical", "warning", "info"}
# Labels that every series may have: those of the scrape, of the node, and of histograms.
COMMON = {"namespace", "job", "instance", "kvorum_cluster", "member", "le"}
# Of what Micrometer's binders expose, the labels whose values are few.
BOUND = {"area", "id", "level", "slower_than"}
# Metrics that no panel and no alert needs to show.
UNUSED = {}
COUNTING = ("rate", "increase", "resets", "changes", "delta")
# Without these a command of a runbook hangs, takes more than it should, or leaves a newer chart's values unset.
MISSING = {
    "delete pvc": "--wait=false",
    "kubectl drain": "--pod-selector=app.kubernetes.io/name=kvorum",
    "helm upgrade ": "--reset-then-reuse-values",
}
SECTIONS = ["Meaning", "Impact", "Diagnosis", "Mitigation"]
problems = []


def breach(where, what):
    problems.append(f"{where}: {what}")


class Metric:
    def __init__(self, name, kind, labels):
        self.name = name
        self.kind = kind
        self.labels = labels

    def series(self):
        """Names under which it is exposed."""
        suffixes = {"histogram": ("_bucket", "_count", "_sum", "_max"), "summary": ("_count", "_sum", "_max")}
        return [self.name + suffix for suffix in suffixes.get(self.kind, ("",))]


def catalogue():
    """Series → metric, of docs/metrics.md."""
    text = CATALOGUE.read_text()
    found = [
        Metric(name, kind, set(re.findall(r"`(\w+)`", labels)))
        for name, kind, labels in re.findall(r"^\| `(kvorum_\w+)` \| (\w+) \| ([^|]*)\|", text, re.MULTILINE)
    ]
    for name in re.findall(r"`((?:jvm|process|system|logback)_\w+)`", text):
        kind = "histogram" if name.endswith("pause_seconds") else "counter" if name.endswith("_total") else "gauge"
        found.append(Metric(name, kind, BOUND))
    return {series: metric for metric in found for series in metric.series()}


def check_expression(where, expression, known, recorded):
    for name in promql.metrics(expression) - recorded:
        if name not in known:
            breach(where, f"{name} is not in docs/metrics.md")
    for name, labels in re.findall(r"\b(\w+)\{([^}]*)\}", re.sub(r'"[^"]*"', '""', expression)):
        for label in set(re.findall(r"(\w+)\s*[=!]", labels)) - COMMON:
            if name in known and label not in known[name].labels:
                breach(where, f"{name} has no label {label}")
    labels = {label for metric in known.values() for label in metric.labels} | COMMON | BOUND
    for group in re.findall(r"\b(?:by|on|without|ignoring)\s*\(([^)]*)\)", expression):
        for label in filter(None, (each.strip() for each in group.split(","))):
            if label not in labels:
                breach(where, f"`by ({label})` is not a label of the catalogue: is it bounded?")
    check_counting(where, expression, known)


def check_counting(where, expression, known):
    for name in promql.metrics(expression):
        if name not in known:
            continue
        counts = known[name].kind == "counter" or name.endswith(("_bucket", "_count", "_sum"))
        for use in re.finditer(rf"(\w+)\(\s*{name}\b(?:\{{[^}}]*\}})?(\[)?", expression):
            if counts and use.group(1) not in COUNTING:
                breach(where, f"{name} only grows: what counts is its rate")
            if not counts and use.group(1) in ("rate", "increase"):
                breach(where, f"{name} is a gauge: it has no rate")


def check_dashboard(path, dashboard, known):
    where = path.name
    if dashboard["uid"] != f"kvorum-{path.stem}":
        breach(where, "its uid is not kvorum-<file>; links to it would break")
    if not 39 <= dashboard["schemaVersion"] <= 41:
        breach(where, f"schemaVersion {dashboard['schemaVersion']}")
    if "kvorum" not in dashboard["tags"] or not dashboard["title"].startswith("Kvorum / ") or not dashboard["description"]:
        breach(where, "title, tag or description is missing")
    if dashboard["graphTooltip"] != 1 or not dashboard["refresh"] or not any(link["tags"] == ["kvorum"] for link in dashboard["links"]):
        breach(where, "shared crosshair, refresh or links to the others are missing")
    variables = {each["name"]: each for each in dashboard["templating"]["list"]}
    if next(iter(variables)) != "datasource" or variables["datasource"]["type"] != "datasource" or "cluster" not in variables:
        breach(where, "variables datasource (first) and cluster are missing")
    for name in {"namespace", "cluster", "loadtest"} & variables.keys():
        if variables[name]["multi"] or variables[name]["includeAll"]:
            breach(where, f"the variable {name} can be several at once, which panels would add up")
    for uid in set(re.findall(r'"uid": "([^"]*)"', json.dumps(dashboard))) - {dashboard["uid"], "${datasource}"}:
        breach(where, f"the data source {uid} instead of the variable")
    for used in re.findall(r'"\$(\w+)"', " ".join(expression for _, expression in promql.expressions(dashboard))):
        if used not in variables:
            breach(where, f"${used} is no variable")
    ids = [panel["id"] for panel in dashboard["panels"]]
    titles = [panel["title"] for panel in promql.panels(dashboard)]
    if len(set(ids)) < len(ids) or len(set(titles)) < len(titles):
        breach(where, "panels share an id or a title")
    check_grid(where, dashboard["panels"])
    for panel in promql.panels(dashboard):
        check_panel(f"{where}, {panel['title']}", panel, known)


def check_panel(where, panel, known):
    if panel["fieldConfig"]["defaults"].get("unit") not in UNITS:
        breach(where, f"unit {panel['fieldConfig']['defaults'].get('unit')}")
    if len(panel.get("description", "")) < 15 or not panel["description"].endswith("."):
        breach(where, "no description in sentences")
    if not panel["targets"]:
        breach(where, "no query")
    for target in panel["targets"]:
        if "datasource" not in panel or "datasource" not in target:
            breach(where, "no data source")
        check_expression(where, target["expr"], known, set())
        legend = target.get("legendFormat")
        if not legend or legend == "__auto":
            breach(where, "a query without a legend")
            continue
        kept = {label for group in re.findall(r"\bby \(([^)]*)\)", target["expr"]) for label in re.split(r",\s*", group)}
        for label in re.findall(r"\{\{(\w+)\}\}", legend):
            if kept and label not in kept:
                breach(where, f"the legend has {label}, the query has not")


def check_grid(where, panels):
    for panel in panels:
        place = panel["gridPos"]
        if place["x"] < 0 or place["x"] + place["w"] > 24 or place["w"] < 3:
            breach(where, f"{panel['title']} does not fit into the grid")
    for one, other in itertools.combinations(panels, 2):
        a, b = one["gridPos"], other["gridPos"]
        if a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"] and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"]:
            breach(where, f"{one['title']} and {other['title']} overlap")
    if panels[0]["type"] != "row" or panels[0]["title"] != "Health":
        breach(where, "does not begin with a row Health")


def check_rules(path, file, known, recorded):
    names = []
    for rule in (rule for group in file["groups"] for rule in group["rules"]):
        where = f"{path.name}, {rule.get('alert', rule.get('record'))}"
        check_expression(where, rule["expr"], known, recorded)
        if "alert" not in rule:
            continue
        names.append(rule["alert"])
        annotations = rule["annotations"]
        if rule["labels"].get("severity") not in SEVERITIES or not rule["alert"].startswith("Kvorum"):
            breach(where, "no name Kvorum… or no severity")
        if annotations["summary"].endswith(".") or not annotations["description"].endswith("."):
            breach(where, "a summary is a title, a description is sentences")
        if annotations["runbook_url"] != f"grafana/runbooks/{rule['alert']}.md":
            breach(where, f"runbook_url is {annotations['runbook_url']}")
        if "$labels" in annotations["summary"] and "$labels.kvorum_cluster" not in annotations["summary"] and "$labels.namespace" not in annotations["summary"]:
            breach(where, "the summary does not say which cluster")
    tests = yaml.safe_load((promql.HERE / "test" / path.name).read_text())["tests"]
    outcomes = {(test["alertname"], bool(test["exp_alerts"])) for each in tests for test in each["alert_rule_test"]}
    for name, fires in itertools.product(names, (True, False)):
        if (name, fires) not in outcomes:
            breach(path.name, f"{name} has no test that it {'fires' if fires else 'is silent'}")
    return names


def check_runbook(path, known):
    """Its sections, commands and queries; what it quotes is for quotes.py."""
    text = path.read_text()
    if not text.startswith(f"# {path.stem}\n") or re.findall(r"^## (.*)$", text, re.MULTILINE) != SECTIONS:
        breach(path.name, f"is not headed by its name and {', '.join(SECTIONS)}")
    for command in re.findall(r"`((?:kubectl|helm) [^`]+)`", text):
        for word, missing in MISSING.items():
            if word in command and missing not in command:
                breach(path.name, f"{command} needs {missing}")
    check_queries(path, known)
    return "Kvorum / " in text


def check_queries(path, known):
    for query in re.findall(r"`([^`]*\bkvorum_[^`]*)`", path.read_text()):
        check_expression(path.name, query, known, set())


def check_synthetic(known):
    """What is made up has names and labels that the operator has."""
    kinds = re.findall(r"^  record (\w+)\(.*\) implements Step\b", STEPS.read_text(), re.MULTILINE)
    for step in set(synthetic.OPERATOR_STEPS) - set(kinds):
        breach("synthetic.py", f"the operator has no step {step}: it has {', '.join(kinds)}")
    # After so many seconds there are all of them.
    for series, _ in (*synthetic.operator(1000), *synthetic.loadtest(1000)):
        check_expression("synthetic.py", series, known, set())


def main():
    known = catalogue()
    check_synthetic(known)
    dashboards, files = promql.dashboards(), promql.rule_files()
    recorded = {rule["record"] for rule in promql.rules() if "record" in rule}
    for path, dashboard in dashboards.items():
        check_dashboard(path, dashboard, known)
    alerts = [name for path, file in files.items() for name in check_rules(path, file, known, recorded)]
    runbooks = sorted((promql.HERE / "runbooks").glob("*.md"))
    for name in set(alerts) ^ {path.stem for path in runbooks}:
        breach(name, "has either no alert or no runbook")
    shown = sum(check_runbook(path, known) for path in runbooks)
    check_queries(OPERATIONS, known)
    used = {name for each in dashboards.values() for _, expression in promql.expressions(each) for name in promql.metrics(expression)}
    used |= {name for rule in promql.rules() for name in promql.metrics(rule["expr"])}
    for metric in set(known.values()):
        if metric.name.startswith("kvorum_") and metric.name not in UNUSED and not used & set(metric.series()):
            breach("docs/metrics.md", f"no panel and no alert shows {metric.name}")
    if len(known) < 50:
        breach("docs/metrics.md", "could not be read")
    panels = sum(len(promql.panels(each)) for each in dashboards.values())
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(dashboards)} dashboards, {panels} panels, {len(alerts)} alerts, {len(runbooks)} runbooks of which {shown} name panels")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
