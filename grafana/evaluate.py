"""Asks a Prometheus for every expression of every panel and alert: evaluate.py <url> <cluster> [--synthetic]

Each has to return data, and not only NaN. Of alerts each part of the condition has to, without its bound. With
--synthetic the series of operator and load tests are made up, and what rests on them is counted apart.
"""

import json
import math
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

import promql

ELSEWHERE = re.compile(r"kvorum_(operator|loadtest)_")


def values(cluster):
    """What Grafana would put in for variables."""
    return {"$__rate_interval": "1m", "$namespace": ".*", "$cluster": cluster, "$member": ".*", "$loadtest": ".*"}


def filled(expression, cluster):
    for variable, value in values(cluster).items():
        expression = expression.replace(variable, value)
    return expression


def get(url, path, **parameters):
    query = urllib.parse.urlencode(parameters)
    try:
        with urllib.request.urlopen(f"{url}/api/v1/{path}?{query}", timeout=30) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        raise ValueError(json.load(error)["error"]) from None


def trouble(url, expression):
    """Why an expression does not do; None if it does."""
    try:
        found = get(url, "query", query=expression)
    except ValueError as error:
        return f"does not parse: {error}"
    samples = [found["result"]] if found["resultType"] == "scalar" else [each["value"] for each in found["result"]]
    if not samples:
        return "no data"
    return "nothing but NaN" if all(math.isnan(float(value)) for _, value in samples) else None


def judge(url, what, expressions, synthetic):
    """Prints how many return data, and which do not; those."""
    failed = []
    made_up = 0
    for where, expression in expressions:
        why = trouble(url, expression)
        if why:
            failed.append(f"  {where}: {why}\n    {expression}")
        elif synthetic and ELSEWHERE.search(expression):
            made_up += 1
    print(f"{what}: {len(expressions) - len(failed)} of {len(expressions)} expressions return data", end="")
    print(f", {made_up} of them on made-up series of operator and load tests" if made_up else "")
    print("\n".join(failed), end="\n" if failed else "")
    return failed


def variables(url, dashboard, cluster):
    """The lists behind a dashboard's variables: each must have a value."""
    for variable in dashboard["templating"]["list"]:
        if variable["type"] != "query":
            continue
        series, label = re.fullmatch(r"label_values\((.*), (\w+)\)", variable["query"]["query"]).groups()
        yield f"{dashboard['title']}, variable {variable['name']}", f'count by ({label}) ({filled(series, cluster)})'


def main(url, cluster, synthetic=None):
    panels = [
        (f"{dashboard['title']}, {where}", filled(expression, cluster))
        for dashboard in promql.dashboards().values()
        for where, expression in promql.expressions(dashboard)
        if not where.startswith("annotation")
    ]
    lists = [each for dashboard in promql.dashboards().values() for each in variables(url, dashboard, cluster)]
    lists += [
        (f"{dashboard['title']}, {where}", part)
        for dashboard in promql.dashboards().values()
        for where, expression in promql.expressions(dashboard)
        if where.startswith("annotation")
        for part in promql.conditions_off(filled(expression, cluster))
    ]
    rules = promql.rules()
    alerts = [(rule["alert"], part) for rule in rules if "alert" in rule for part in promql.conditions_off(rule["expr"])]
    records = [(rule["record"], rule["expr"]) for rule in rules if "record" in rule]
    failed = judge(url, "dashboards", panels, synthetic)
    failed += judge(url, "variables and marks", lists, synthetic)
    failed += judge(url, f"alerts ({sum('alert' in rule for rule in rules)})", alerts, synthetic)
    failed += judge(url, "recorded series", records, synthetic)
    groups = get(url, "rules")["groups"]
    broken = [rule["name"] for group in groups for rule in group["rules"] if rule["health"] != "ok"]
    print(f"rules that Prometheus could not evaluate: {len(broken)} {' '.join(broken)}")
    for state in ("firing", "pending"):
        found = get(url, "query", query=f'max_over_time(ALERTS{{alertstate="{state}"}}[1h])')["result"]
        print(f"alerts that were {state} meanwhile: {' '.join(sorted({each['metric']['alertname'] for each in found})) or 'none'}")
    return 1 if failed or broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
