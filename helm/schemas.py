"""Writes JSON schemas for kubeconform: schemas.py <directory> <crd.yaml> …

Kubernetes' own come from the OpenAPI documents in the Go module of kubectl-validate, so that they can be had wherever Go
modules can; the custom resources' from their definitions. Unknown fields are rejected.
"""

import json
import pathlib
import subprocess
import sys

import yaml

MODULE = "sigs.k8s.io/kubectl-validate@v0.0.4"
KUBERNETES = "1.30"


def strict(schema):
    """The same schema in which an object with named fields has no others."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(part) for key, part in schema.items() if key not in ("default", "format", "properties")}
    if "properties" in schema:
        made["properties"] = {field: strict(part) for field, part in schema["properties"].items()}
        made.setdefault("additionalProperties", False)
    if made.pop("x-kubernetes-int-or-string", False):
        made["type"] = ["integer", "string"]
        made.pop("anyOf", None)
    return made


def reachable(schemas, name, found):
    if name in found:
        return
    found[name] = strict(schemas[name])
    todo = [schemas[name]]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                reachable(schemas, part["$ref"].rsplit("/", 1)[1], found)
            todo.extend(part.values())
        elif isinstance(part, list):
            todo.extend(part)


def built_in(directory):
    """Every kind of Kubernetes with the schema of its fields."""
    for path in sorted(directory.rglob("*.json")):
        schemas = json.loads(path.read_text())["components"]["schemas"]
        for name, schema in schemas.items():
            kinds = schema.get("x-kubernetes-group-version-kind", [])
            if len(kinds) == 1 and not name.endswith("List"):
                found = {}
                reachable(schemas, name, found)
                yield kinds[0], {"$ref": f"#/components/schemas/{name}", "components": {"schemas": found}}


def custom(paths):
    for path in paths:
        definition = yaml.safe_load(pathlib.Path(path).read_text())["spec"]
        for version in definition["versions"]:
            schema = strict(version["schema"]["openAPIV3Schema"])
            for field in ("apiVersion", "kind"):
                schema["properties"][field] = {"type": "string"}
            schema["properties"]["metadata"] = {"type": "object"}
            yield {"group": definition["group"], "version": version["name"], "kind": definition["names"]["kind"]}, schema


def main(target, *crds):
    answer = subprocess.run(["go", "mod", "download", "-json", MODULE], capture_output=True, text=True, check=True, cwd="/")
    module = pathlib.Path(json.loads(answer.stdout)["Dir"])
    directory = pathlib.Path(target)
    directory.mkdir(parents=True)
    kinds = list(built_in(module / "pkg/openapiclient/builtins" / KUBERNETES)) + list(custom(crds))
    for kind, schema in kinds:
        group = kind["group"].split(".")[0]
        name = "-".join(part for part in (kind["kind"].lower(), group, kind["version"]) if part)
        (directory / f"{name}.json").write_text(json.dumps(schema))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
