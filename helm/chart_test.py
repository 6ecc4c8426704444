"""What the chart makes of its values: `python3 -m unittest helm/chart_test.py`, or helm/check."""

import base64
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

HERE = pathlib.Path(__file__).parent
CHART = HERE / "kvorum"


def helm(*arguments, chart=CHART):
    name = [] if "--name-template" in arguments else ["kvorum"]
    answer = subprocess.run(["helm", "template", *name, chart, "--namespace", "here", "--kube-version", "1.34.0", *arguments],
                            capture_output=True, text=True)
    if answer.returncode:
        raise ValueError(answer.stderr)
    return answer.stdout


def render(*values, chart=CHART, arguments=()):
    settings = [word for value in values for word in ("--set", value)]
    return [each for each in yaml.safe_load_all(helm(*settings, *arguments, chart=chart)) if each]


def of(objects, kind):
    return [each for each in objects if each["kind"] == kind]


def the(objects, kind):
    found = of(objects, kind)
    assert len(found) == 1, f"{len(found)} of {kind}"
    return found[0]


def spec(*values, **more):
    return the(render(*values, **more), "KvorumCluster")["spec"]


def leaves(values, prefix=""):
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and value and name not in ("cluster.resources", "operator.resources"):
            yield from leaves(value, name + ".")
        else:
            yield name


def altered(change):
    """A copy of the chart in which something is different."""
    directory = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(directory.cleanup)
    copy = pathlib.Path(directory.name) / "kvorum"
    shutil.copytree(CHART, copy)
    change(copy)
    return copy


class Chart(unittest.TestCase):
    def test_default_is_an_operator_and_a_cluster_of_three(self):
        objects = render()
        cluster = the(objects, "KvorumCluster")
        self.assertEqual(cluster["metadata"]["name"], "kvorum")
        self.assertEqual(cluster["spec"]["replicas"], 3)
        self.assertEqual(cluster["metadata"]["annotations"]["helm.sh/resource-policy"], "keep")
        operator = the(objects, "Deployment")
        labels = operator["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(labels["app.kubernetes.io/name"], "kvorum-operator")
        self.assertEqual(operator["spec"]["template"]["spec"]["containers"][0]["image"], "kvorum-operator:0.1.0")

    def test_either_half_can_be_left_out(self):
        self.assertEqual(of(render("cluster.enabled=false"), "KvorumCluster"), [])
        self.assertEqual({each["kind"] for each in render("operator.enabled=false")}, {"KvorumCluster", "Pod"})

    def test_every_value_is_documented_and_in_the_schema(self):
        readme = (CHART / "README.md").read_text()
        for name in leaves(yaml.safe_load((CHART / "values.yaml").read_text())):
            with self.subTest(name):
                self.assertRegex(readme, rf"\| {re.escape(name)} \|[^|]+\|[^|]+\| \S")
        self.assertEqual(len(set(leaves(yaml.safe_load((CHART / "values.yaml").read_text())))), readme.count("\n| ") - 1)

    def test_settings_that_are_rejected_are_documented(self):
        definition = yaml.safe_load((CHART / "crds/kvorumclusters.kvorum.dev.yaml").read_text())["spec"]["versions"][0]
        settings = definition["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["settings"]
        rules = " ".join(each["rule"] for each in settings["x-kubernetes-validations"])
        rejected = re.findall(r"'([a-z.-]+)'", rules)
        self.assertGreater(len(rejected), 8)
        row = re.search(r"\| cluster\.settings \|.*", (CHART / "README.md").read_text()).group()
        for name in rejected:
            with self.subTest(name):
                self.assertIn(f"`{name}*`" if name.endswith(".") else f"`{name}`", row)

    def test_memory_is_said_once(self):
        self.assertEqual(spec()["resources"], {"requests": {"cpu": "250m"}, "limits": {"memory": "768Mi"}})
        self.assertNotIn("memory", spec("cluster.resources.limits.memory=512Mi")["resources"]["requests"])

    def test_numbers_of_bytes_are_texts(self):
        values = altered(lambda copy: (copy / "more.yaml").write_text(
            "cluster: {storage: {size: 21474836480}, resources: {limits: {memory: 1073741824}, requests: {cpu: 0.5}},"
            " settings: {kvorum.limits.a: 1073741824, kvorum.limits.b: 1234567.5}}\n"
            "operator: {resources: {limits: {memory: 536870912}}}\n")) / "more.yaml"
        objects = render(arguments=("-f", values))
        made = the(objects, "KvorumCluster")["spec"]
        self.assertEqual(made["storage"]["size"], "21474836480")
        self.assertEqual(made["resources"], {"limits": {"memory": "1073741824"}, "requests": {"cpu": "0.5"}})
        self.assertEqual(made["settings"], {"kvorum.limits.a": "1073741824", "kvorum.limits.b": "1234567.5"})
        container = the(objects, "Deployment")["spec"]["template"]["spec"]["containers"][0]
        self.assertEqual(container["resources"]["limits"]["memory"], "536870912")
        self.assertEqual(spec("cluster.storage.size=21474836480")["storage"]["size"], "21474836480")
        self.assertEqual(spec(arguments=("--set-string", "cluster.storage.size=1024"))["storage"]["size"], "1024")

    def test_wrong_values_are_rejected(self):
        for wrong in ("cluster.replicas=0", "cluster.name=A", "cluster.storage.size=10GB", "image.pullpolicy=Always",
                      "cluster.durability=maybe", "monitoring.podMonitor=yes", "monitoring.runbooks=grafana/", "cluster.settings.a[0]=1", "backup.s3.bucket=A",
                      "backup.volume.claim=b", "bootstrap.restore.source.id=latest", "bootstrap.restore.source.clusterId=",
                      "bootstrap.restore={}", "bootstrap.backup=nightly"):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "schema|got|not allowed"):
                render(wrong)

    def test_the_same_values_make_the_same_bytes(self):
        self.assertEqual(helm(), helm())
        for template in CHART.rglob("templates/**/*"):
            if template.is_file():
                self.assertNotRegex(template.read_text(), r"\b(rand\w+|now|uuidv4|gen\w+Cert|genPrivateKey)\b")

    def test_settings_are_flat_strings(self):
        made = spec(r"cluster.settings.kvorum\.limits\.request-timeout=2s", "cluster.settings.kvorum.limits.value-max=1048576",
                    "cluster.settings.kvorum.limits.hedges-per-read=0.25", "cluster.settings.debug=true")
        self.assertEqual(made["settings"], {"kvorum.limits.request-timeout": "2s", "kvorum.limits.value-max": "1048576",
                                            "kvorum.limits.hedges-per-read": "0.25", "debug": "true"})

    def test_certificates_come_from_a_secret(self):
        self.assertEqual(spec()["security"], {"profile": "standard"})
        self.assertEqual(spec("security.profile=open")["security"], {"profile": "open"})
        self.assertEqual(spec("operator.secrets=false")["security"], {"profile": "open"})
        self.assertNotIn("network", spec())
        self.assertNotIn("network", spec("security.profile=open"))
        self.assertEqual(spec("network.policy=None")["network"], {"policy": "None"})
        self.assertEqual(spec("network.clients[0].podSelector.matchLabels.app=shop")["network"],
                         {"policy": "Managed", "clients": [{"podSelector": {"matchLabels": {"app": "shop"}}}]})
        self.assertEqual(spec("security.profile=strict", "security.certificates.secretRef.name=certs")["security"],
                         {"profile": "strict", "certificates": {"secretRef": {"name": "certs"}}})
        self.assertEqual(spec("security.certificates.issuerRef.name=ca", "security.certificates.issuerRef.kind=ClusterIssuer",
                              "security.certificates.dnsNames[0]=kvorum.example.com")["security"]["certificates"],
                         {"issuerRef": {"name": "ca", "kind": "ClusterIssuer", "group": "cert-manager.io"},
                          "dnsNames": ["kvorum.example.com"]})

    def test_backups_reach_the_cluster(self):
        self.assertNotIn("backup", spec())
        values = ("backup.s3.bucket=records", "backup.s3.endpoint=https://s3.example:9000", "backup.s3.pathStyle=true",
                  "backup.credentialsRef.name=s3-access", "backup.encryptionRef.name=s3-key")
        self.assertEqual(spec(*values)["backup"],
                         {"s3": {"bucket": "records", "endpoint": "https://s3.example:9000", "pathStyle": True},
                          "credentialsRef": {"name": "s3-access"}, "encryptionRef": {"name": "s3-key"}})
        # What values of earlier upgrades have can be taken out again.
        self.assertEqual(spec(*values, "backup.s3=null", "backup.credentialsRef=null", "backup.volume.claimName=all-backups")["backup"],
                         {"volume": {"claimName": "all-backups"}, "encryptionRef": {"name": "s3-key"}})
        self.assertNotIn("backup", spec(*values, "backup=null"))

    def test_a_new_cluster_begins_with_a_backup(self):
        self.assertNotIn("bootstrap", spec())
        self.assertEqual(spec("bootstrap.restore.backup=nightly-20261129-0200")["bootstrap"],
                         {"restore": {"backup": "nightly-20261129-0200"}})
        source = "bootstrap.restore.source."
        self.assertEqual(spec(source + "clusterId=old", source + "id=latest", source + "schedule=nightly")["bootstrap"],
                         {"restore": {"source": {"clusterId": "old", "id": "latest", "schedule": "nightly"}}})
        with self.assertRaisesRegex(ValueError, "at most 1|maxProperties|maximum"):
            spec("bootstrap.restore.backup=nightly", source + "clusterId=old")

    def test_the_test_trusts_what_a_strict_cluster_presents(self):
        def trusted(*values):
            pod = the(render("security.profile=strict", *values), "Pod")["spec"]
            self.assertIn("--url=https://kvorum.here.svc:8080", pod["containers"][0]["args"])
            return pod["volumes"][0]
        self.assertEqual(trusted()["configMap"], {"name": "kvorum-ca"})
        self.assertEqual(trusted("security.certificates.secretRef.name=certs")["secret"]["secretName"], "certs")
        self.assertNotIn("volumes", the(render("security.profile=standard"), "Pod")["spec"])

    def test_the_test_has_a_user_where_requests_need_one(self):
        anonymous = r"cluster.settings.kvorum\.auth\.anonymous="
        strict, standard = "security.profile=strict", "security.profile=standard"
        for values in ((strict,), (strict, anonymous + "read"), (standard, anonymous + "none"), (standard, anonymous + "READ"),
                       ("cluster.settings.kvorum.auth.anonymous=none",)):
            with self.subTest(values):
                objects = render("cluster.name=shop", *values)
                user, pod = the(objects, "KvorumUser"), the(objects, "Pod")
                self.assertEqual(user["spec"]["rules"], [{"keys": {"prefix": "workload-"}, "verbs": ["get", "put"]}])
                self.assertEqual(user["spec"]["cluster"], "shop")
                # It comes before the pod, and none stays behind.
                self.assertLess(int(user["metadata"]["annotations"]["helm.sh/hook-weight"]), 0)
                self.assertIn("hook-succeeded", user["metadata"]["annotations"]["helm.sh/hook-delete-policy"])
                container = pod["spec"]["containers"][0]
                token = next(each for each in container["env"] if each["name"] == "KVORUM_TOKEN")
                self.assertEqual(token["valueFrom"]["secretKeyRef"],
                                 {"name": user["metadata"]["name"] + "-token", "key": "token"})
                self.assertIn("--url=https://shop.here.svc:8080", container["args"])
        for values in ((), (standard, anonymous + "all"), (strict, anonymous + "all"), (strict, anonymous + "All"),
                       ("security.profile=open", anonymous + "read"), (strict, "cluster.enabled=false"),
                       (strict, "operator.secrets=false", "security.certificates.secretRef.name=certs")):
            with self.subTest(values):
                objects = render(*values)
                self.assertEqual(of(objects, "KvorumUser"), [])
                self.assertNotIn("KVORUM_TOKEN", str(of(objects, "Pod")))

    def test_the_test_user_may_write_what_the_verifier_writes(self):
        source = HERE.parent / "loadtest/verifier/src/main/java/dev/kvorum/verifier/Verifier.java"
        prefix = re.search(r'String name = "([a-z-]+)" \+', source.read_text()).group(1)
        user = the(render("security.profile=strict"), "KvorumUser")
        self.assertEqual(user["spec"]["rules"][0]["keys"], {"prefix": prefix})

    def test_durability_can_be_said_as_a_setting(self):
        made = spec("cluster.settings.kvorum.storage.durability=async")
        self.assertEqual(made["durability"], "async")
        self.assertNotIn("settings", made)

    def test_replicas_can_be_left_to_others(self):
        cluster = the(render("cluster.replicas=null"), "KvorumCluster")
        self.assertNotIn("replicas", cluster["spec"])
        self.assertNotIn("kvorum.dev/chart-replicas", cluster["metadata"]["annotations"])

    def test_nodes_keep_their_version_unless_told(self):
        self.assertNotIn("image", spec())
        self.assertEqual(spec("image.tag=0.2.0")["image"], "kvorum:0.2.0")

    def test_left_volumes_reach_the_cluster(self):
        made = spec("cluster.storage.leftVolumes=Delete", "cluster.storage.leftAfter=36h")
        self.assertEqual(made["storage"], {"size": "10Gi", "leftVolumes": "Delete", "leftAfter": "36h"})

    def test_storage_class_and_pod_reach_the_cluster(self):
        made = spec("cluster.storage.class=fast", "cluster.pod.nodeSelector.disk=nvme", "image.pullSecrets={a,b}")
        self.assertEqual(made["storage"], {"size": "10Gi", "storageClass": "fast"})
        self.assertEqual(made["pod"], {"nodeSelector": {"disk": "nvme"}, "imagePullSecrets": [{"name": "a"}, {"name": "b"}]})

    def test_uninstall_can_be_told_to_remove_the_cluster(self):
        annotations = the(render("cluster.keep=false"), "KvorumCluster")["metadata"]["annotations"]
        self.assertNotIn("helm.sh/resource-policy", annotations)

    def test_pods_are_locked_in(self):
        objects = render()
        for pod in (the(objects, "Deployment")["spec"]["template"]["spec"], the(objects, "Pod")["spec"]):
            self.assertFalse(pod["enableServiceLinks"])
            self.assertTrue(pod["securityContext"]["runAsNonRoot"])
            for container in pod["containers"]:
                security = container["securityContext"]
                self.assertTrue(security["readOnlyRootFilesystem"])
                self.assertFalse(security["allowPrivilegeEscalation"])
                self.assertEqual(security["capabilities"]["drop"], ["ALL"])
                self.assertIn("memory", container["resources"]["limits"])
                self.assertNotIn("cpu", container["resources"]["limits"])
                self.assertNotRegex(container["image"], ":latest$|^[^:]+$")

    def test_pods_on_openshift_name_no_ids(self):
        there = ("--api-versions", "security.openshift.io/v1")
        for fixed, objects in ((True, render()), (True, render("openshift=false", arguments=there)), (False, render("openshift=true")),
                               (False, render(arguments=there))):
            operator = the(objects, "Deployment")["spec"]["template"]["spec"]
            environment = {each["name"]: each.get("value") for each in operator["containers"][0]["env"]}
            self.assertEqual(environment.get("KVORUM_ASSIGNED_IDS"), None if fixed else "true")
            for pod in (operator, the(objects, "Pod")["spec"]):
                self.assertTrue(pod["securityContext"]["runAsNonRoot"])
                for context in (pod["securityContext"], pod["containers"][0]["securityContext"]):
                    self.assertEqual({"runAsUser", "runAsGroup"} & set(context), {"runAsUser", "runAsGroup"} if fixed else set())
                    self.assertNotIn("fsGroup", context)

    def test_the_operator_writes_in_its_namespaces_only(self):
        objects = render("operator.watchNamespaces={a,b}", "rbac.aggregate=false")
        self.assertEqual({each["metadata"]["namespace"] for each in of(objects, "Role")}, {"a", "b", "here"})
        for role in of(objects, "ClusterRole"):
            for rule in role["rules"]:
                self.assertLessEqual(set(rule["verbs"]), {"get", "list", "watch"})
        everywhere = render("operator.watchNamespaces={*}")
        self.assertEqual([each["metadata"]["name"] for each in of(everywhere, "Role")], ["kvorum-operator-leader"])

    def test_a_cluster_of_the_release_has_an_operator(self):
        def watched(*values):
            environment = the(render(*values), "Deployment")["spec"]["template"]["spec"]["containers"][0]["env"]
            return next(each["value"] for each in environment if each["name"] == "WATCH_NAMESPACES")
        self.assertEqual(watched(), "here")
        self.assertEqual(watched("operator.watchNamespaces={a,b}"), "a,b,here")
        self.assertEqual(watched("operator.watchNamespaces={a,b}", "cluster.enabled=false"), "a,b")
        self.assertEqual(watched("operator.watchNamespaces={a,*}"), "*")
        roles = of(render("operator.watchNamespaces={a}"), "Role")
        self.assertIn(("here", "kvorum-operator"), {(each["metadata"]["namespace"], each["metadata"]["name"]) for each in roles})

    def test_load_tests_have_an_image_by_default(self):
        def images(*values):
            environment = the(render(*values), "Deployment")["spec"]["template"]["spec"]["containers"][0]["env"]
            return [each["value"] for each in environment if each["name"] == "KVORUM_LOADTEST_IMAGE"]
        self.assertEqual(images(), [])
        self.assertEqual(images("operator.loadTestImage=registry.example/wrk2:1"), ["registry.example/wrk2:1"])

    def test_operators_for_one_namespace_elect_one_leader(self):
        def lease(release, *values):
            settings = [word for value in values for word in ("--set", value)]
            made = helm("--name-template", release, "--set", "cluster.enabled=false", *settings)
            deployment = the([each for each in yaml.safe_load_all(made) if each], "Deployment")
            environment = deployment["spec"]["template"]["spec"]["containers"][0]["env"]
            return next(each["value"] for each in environment if each["name"] == "LEASE_NAME")
        everywhere, elsewhere = "operator.watchNamespaces={*}", "operator.watchNamespaces={a}"
        self.assertEqual({lease("kvorum"), lease("team-a"), lease("team-a", everywhere)}, {"kvorum-operator"})
        # Those for other namespaces do not wait for each other.
        self.assertEqual(len({lease("kvorum"), lease("kvorum", elsewhere), lease("team-a", elsewhere)}), 3)

    def test_a_second_operator_for_a_namespace_is_rejected(self):
        def beside(release, watched, replicas, *values):
            environment = [{"name": "WATCH_NAMESPACES", "value": watched}]
            there = {"items": [
                {"metadata": {"name": "shop"}, "spec": {}},
                {"metadata": {"labels": {"app.kubernetes.io/name": "kvorum-operator", "app.kubernetes.io/instance": release}},
                 "spec": {"replicas": replicas, "template": {"spec": {"containers": [{"env": environment}]}}}}]}
            def change(copy):
                names = copy / "templates/_names.tpl"
                asked = 'lookup "apps/v1" "Deployment" .Release.Namespace ""'
                self.assertIn(asked, names.read_text())
                names.write_text(names.read_text().replace(asked, '.Files.Get "there.yaml" | fromYaml'))
                (copy / "there.yaml").write_text(yaml.safe_dump(there))
            return render(*values, chart=altered(change))
        for watched, values in (("here", ()), ("a,here", ()), ("*", ()), ("", ()), ("a", ("operator.watchNamespaces={*}",)),
                                ("a,b", ("operator.watchNamespaces={b}",))):
            with self.subTest(watched=watched, values=values):
                with self.assertRaisesRegex(ValueError, "Release other has an operator for .* already"):
                    beside("other", watched, 1, *values)
        for release, watched, replicas, values in (
                ("other", "a,b", 1, ()), ("kvorum", "here", 1, ()), ("other", "here", 0, ()), ("other", "*", 1, ("operator.enabled=false",)),
                ("other", "here", 1, ("cluster.enabled=false", "operator.watchNamespaces={a}"))):
            with self.subTest(release=release, watched=watched, values=values):
                self.assertTrue(beside(release, watched, replicas, *values))

    def test_secrets_are_written_only_where_certificates_may_be_issued(self):
        def rights(*values):
            return [rule["verbs"] for role in of(render("operator.watchNamespaces={*}", *values), "ClusterRole")
                    for rule in role["rules"] if "secrets" in rule["resources"]]
        self.assertEqual(rights(), [["get", "list", "create", "update"]])
        self.assertEqual(rights("operator.secrets=false"), [])

    def test_nothing_may_be_outside_of_namespaces(self):
        objects = render("rbac.clusterRole=false", "monitoring.rules=true")
        self.assertEqual([each for each in objects if "namespace" not in each["metadata"]], [])
        self.assertEqual({each["metadata"]["name"] for each in of(objects, "Role")}, {"kvorum-operator", "kvorum-operator-leader"})
        with self.assertRaisesRegex(ValueError, "needs rbac.clusterRole"):
            render("rbac.clusterRole=false", "operator.watchNamespaces={*}")

    def test_roles_of_kubernetes_include_the_kinds(self):
        def roles(*values):
            label = "rbac.authorization.k8s.io/aggregate-to-"
            return {each["metadata"]["name"]: ({key.removeprefix(label) for key in each["metadata"]["labels"] if key.startswith(label)}, each["rules"])
                    for each in of(render(*values), "ClusterRole") if any(key.startswith(label) for key in each["metadata"]["labels"])}

        made = roles()
        self.assertEqual({name: to for name, (to, _) in made.items()},
                         {"here-kvorum-view": {"view", "edit", "admin"}, "here-kvorum-edit": {"edit", "admin"}})
        definitions = [yaml.safe_load(file.read_text())["spec"] for file in (CHART / "crds").iterdir()]
        kinds = {each["names"]["plural"] for each in definitions}
        parts = {f"{each['names']['plural']}/{part}" for each in definitions for part in each["versions"][0].get("subresources", {})}
        view, edit = (made[f"here-kvorum-{name}"][1] for name in ("view", "edit"))
        self.assertEqual([(set(rule["resources"]), rule["verbs"]) for rule in view], [(kinds, ["get", "list", "watch"]), (parts, ["get"])])
        self.assertEqual([(set(rule["resources"]), rule["verbs"]) for rule in edit],
                         [(kinds - {"kvorumtopologies"}, ["create", "update", "patch", "delete"]), ({"kvorumclusters/scale"}, ["update", "patch"])])
        for value in ("rbac.aggregate=false", "rbac.create=false", "rbac.clusterRole=false", "operator.enabled=false"):
            self.assertEqual(roles(value), {}, value)

    def test_rights_can_be_given_by_others(self):
        objects = render("rbac.create=false", "operator.watchNamespaces={*}")
        self.assertEqual([each["kind"] for each in objects if each["apiVersion"].startswith("rbac.")], [])
        self.assertEqual(the(objects, "ServiceAccount")["metadata"]["name"], "kvorum-operator")

    def test_names_can_be_overridden(self):
        everything = ("monitoring.podMonitor=true", "monitoring.rules=true", "monitoring.dashboards=true", "operator.watchNamespaces={*}")
        before, after = render(*everything), render("fullnameOverride=shop", *everything)
        self.assertEqual(len(before), len(after))
        kept = {"KvorumCluster", "Pod"}
        for each in after:
            with self.subTest(each["kind"]):
                self.assertRegex(each["metadata"]["name"], "^kvorum" if each["kind"] in kept else "^(here-)?shop-")
        long = the(render(f"fullnameOverride={'n' * 53}"), "Deployment")["metadata"]["name"]
        self.assertEqual(long, "n" * 53 + "-operator")

    def test_common_labels_are_on_all_objects_and_in_no_selector(self):
        everything = ("monitoring.podMonitor=true", "monitoring.rules=true", "monitoring.dashboards=true", "security.profile=strict")
        before, after = render(*everything), render("commonLabels.team=kv", *everything)
        for old, new in zip(before, after):
            with self.subTest(new["metadata"]["name"]):
                self.assertEqual(new["metadata"]["labels"].pop("team"), "kv")
                if new["kind"] == "Deployment":
                    self.assertEqual(new["spec"]["template"]["metadata"]["labels"].pop("team"), "kv")
                self.assertEqual(old, new)
        # Prometheus' own take precedence.
        monitor = of(render("commonLabels.release=a", "monitoring.labels.release=b", "monitoring.podMonitor=true"), "PodMonitor")[0]
        self.assertEqual(monitor["metadata"]["labels"]["release"], "b")
        for wrong in (r"commonLabels.app\.kubernetes\.io/name=x", "commonLabels.grafana_dashboard=x"):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "commonLabels|not"):
                render(wrong)

    def test_objects_can_be_added(self):
        values = altered(lambda copy: (copy / "more.yaml").write_text(
            "extraObjects:\n"
            "  - {apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .Release.Name }}-one'}}\n"
            "  - |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: two\n"
            "      labels: {{ include \"kvorum.labels\" . | fromYaml | toJson }}\n")) / "more.yaml"
        added = of(render(arguments=("-f", values)), "ConfigMap")
        self.assertEqual([each["metadata"]["name"] for each in added], ["kvorum-one", "two"])
        self.assertEqual(added[1]["metadata"]["labels"]["app.kubernetes.io/part-of"], "kvorum")

    def test_what_the_chart_says_of_itself(self):
        chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
        self.assertEqual(base64.b64decode(chart["icon"].removeprefix("data:image/svg+xml;base64,")), (CHART / "icon.svg").read_bytes())
        definitions = [yaml.safe_load(path.read_text()) for path in (CHART / "crds").glob("*.yaml")]
        self.assertEqual({(each["name"], each["kind"], each["version"]) for each in yaml.safe_load(chart["annotations"]["artifacthub.io/crds"])},
                         {(each["metadata"]["name"], each["spec"]["names"]["kind"], each["spec"]["versions"][0]["name"]) for each in definitions})
        images = {each["image"] for each in yaml.safe_load(chart["annotations"]["artifacthub.io/images"])}
        self.assertEqual(images, {f"{name}:{chart['appVersion']}" for name in ("kvorum", "kvorum-operator")})

    def test_no_right_is_a_wildcard(self):
        for role in of(render("operator.watchNamespaces={*}"), "ClusterRole") + of(render(), "Role"):
            for rule in role["rules"]:
                self.assertNotIn("*", rule["verbs"] + rule["resources"] + rule["apiGroups"])

    def test_a_newer_chart_changes_no_selector_and_no_cluster(self):
        newer = altered(lambda copy: (copy / "Chart.yaml").write_text(
            (copy / "Chart.yaml").read_text().replace("0.1.0", "9.9.9")))
        before, after = render(), render(chart=newer)
        self.assertEqual(the(before, "Deployment")["spec"]["selector"], the(after, "Deployment")["spec"]["selector"])
        self.assertEqual(the(before, "KvorumCluster")["spec"], the(after, "KvorumCluster")["spec"])

    def test_the_image_has_the_jar_that_the_test_pod_starts(self):
        command = the(render(), "Pod")["spec"]["containers"][0]["command"]
        jar = pathlib.Path(command[command.index("-cp") + 1])
        copied = re.findall(r"^COPY (\S+) (\S+)$", (HERE.parent / "app/Dockerfile").read_text(), re.MULTILINE)
        self.assertIn(jar, [pathlib.Path(target, pathlib.Path(source).name) for source, target in copied])

    def test_monitoring_is_off_and_each_part_can_be_had(self):
        self.assertEqual(len(render()), len(render("monitoring.dashboards=false")))
        self.assertEqual(len(of(render("monitoring.podMonitor=true", "monitoring.labels.release=p"), "PodMonitor")), 2)
        annotated = render("monitoring.annotations=true")
        members = the(annotated, "KvorumCluster")["spec"]["pod"]["annotations"]
        self.assertEqual(members["prometheus.io/port"], "8090")
        operator = the(annotated, "Deployment")["spec"]["template"]["metadata"]["annotations"]
        self.assertEqual(operator["prometheus.io/port"], "8080")

    def test_dashboards_and_alerts_are_whatever_files_there_are(self):
        def add(copy):
            (copy / "files/dashboards/extra.json").write_text('{"title": "{{instance}} is kept as it is"}')
            (copy / "files/alerts/extra.yaml").write_text("groups: [{name: extra, rules: [{alert: A, expr: up == 0}]}]")
        objects = render("monitoring.dashboards=true", "monitoring.rules=true", chart=altered(add))
        boards = [each for each in of(objects, "ConfigMap") if "extra.json" in each["data"]]
        self.assertEqual(boards[0]["metadata"]["labels"]["grafana_dashboard"], "1")
        self.assertEqual(yaml.safe_load(boards[0]["data"]["extra.json"])["title"], "{{instance}} is kept as it is")
        self.assertIn("extra", [group["name"] for group in the(objects, "PrometheusRule")["spec"]["groups"]])

    def test_alerts_lead_to_their_runbooks(self):
        objects = render("monitoring.rules=true", "monitoring.runbooks=https://git.example/kvorum/blob/main/")
        rules = [rule for group in the(objects, "PrometheusRule")["spec"]["groups"] for rule in group["rules"] if "alert" in rule]
        self.assertGreater(len(rules), 30)
        for rule in rules:
            self.assertEqual(rule["annotations"]["runbook_url"],
                             f"https://git.example/kvorum/blob/main/grafana/runbooks/{rule['alert']}.md")
        self.assertEqual(len(of(render("monitoring.dashboards=true"), "ConfigMap")), 7)

    def test_alerts_without_a_place_of_runbooks_have_no_dead_links(self):
        for name, rule in self.alerts().items():
            self.assertNotIn("runbook_url", rule["annotations"])
            self.assertEqual(rule["annotations"]["runbook"], f"grafana/runbooks/{name}.md")
        linked = self.alerts("monitoring.runbooks=https://git.example/kvorum")["KvorumMemberDown"]["annotations"]
        self.assertEqual(linked["runbook_url"], "https://git.example/kvorum/grafana/runbooks/KvorumMemberDown.md")
        self.assertNotIn("runbook", linked)

    def alerts(self, *values):
        groups = the(render("monitoring.rules=true", *values), "PrometheusRule")["spec"]["groups"]
        self.assertTrue(all(group["rules"] for group in groups))
        return {rule["alert"]: rule for group in groups for rule in group["rules"] if "alert" in rule}

    def test_alerts_can_be_changed_and_left_out(self):
        before, change = self.alerts(), "monitoring.alerts.KvorumMemoryNearLimit."
        after = self.alerts(change + "threshold=0.95", change + "for=30m", change + "severity=page", change + "labels.team=kv",
                            "monitoring.alerts.KvorumLoadTestErrors.enabled=false")
        self.assertEqual(set(before) - set(after), {"KvorumLoadTestErrors"})
        changed = after.pop("KvorumMemoryNearLimit")
        self.assertEqual(changed["expr"], before["KvorumMemoryNearLimit"]["expr"].replace("0.9", "0.95"))
        self.assertEqual((changed["for"], changed["labels"]), ("30m", {"severity": "page", "team": "kv"}))
        for name, rule in after.items():
            self.assertEqual(rule, before[name])
        for wrong, message in ((change + "enable=false", "enable"), ("monitoring.alerts.KvorumNone.enabled=false", "no such alert"),
                               ("monitoring.alerts.KvorumMemberDown.threshold=1", "has no threshold"), (change + "for=soon", "for")):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, message):
                self.alerts(wrong)

    def test_thresholds_are_numbers_in_their_expressions(self):
        text = (CHART / "templates/monitoring/_alerts.tpl").read_text()
        table = yaml.safe_load(re.search(r'thresholds" -\}\}\n(.*?)\{\{', text, re.DOTALL).group(1))
        self.assertGreater(len(table), 10)
        before, row = self.alerts(), re.search(r"\| monitoring\.alerts \|.*", (CHART / "README.md").read_text()).group()
        after = self.alerts(*(f"monitoring.alerts.{name}.threshold=77" for name in table))
        for name, (text, number) in table.items():
            with self.subTest(name):
                self.assertIn(name + (" (days)" if "86400" in text else ""), row)
                self.assertEqual(before[name]["expr"].count(text.replace("{0}", number)), 1)
                self.assertEqual(after[name]["expr"], before[name]["expr"].replace(text.replace("{0}", number), text.replace("{0}", "77")))
                # What it says is true with any number.
                self.assertNotRegex(after[name]["annotations"]["summary"], r"\d")

    def test_scraped_series_keep_their_labels(self):
        for monitor in of(render("monitoring.podMonitor=true"), "PodMonitor"):
            self.assertTrue(monitor["spec"]["podMetricsEndpoints"][0]["honorLabels"])

    def test_members_of_all_its_clusters_are_scraped(self):
        def members(*values):
            monitors = of(render("monitoring.podMonitor=true", *values), "PodMonitor")
            found = [each["spec"] for each in monitors if each["metadata"]["name"] == "kvorum-members"]
            self.assertEqual(len(found), 1)
            return found[0]["namespaceSelector"], found[0]["selector"]["matchLabels"]
        every = {"app.kubernetes.io/name": "kvorum"}
        self.assertEqual(members(), ({"matchNames": ["here"]}, every))
        self.assertEqual(members("cluster.enabled=false"), ({"matchNames": ["here"]}, every))
        self.assertEqual(members("operator.watchNamespaces={a,here,b}"), ({"matchNames": ["here", "a", "b"]}, every))
        self.assertEqual(members("operator.watchNamespaces={*}"), ({"any": True}, every))
        own = every | {"app.kubernetes.io/instance": "shop"}
        self.assertEqual(members("operator.enabled=false", "cluster.name=shop"), ({"matchNames": ["here"]}, own))

    def test_a_cluster_that_serves_only_users_is_scraped_with_a_token(self):
        def monitors(*values):
            objects = render("monitoring.podMonitor=true", *values)
            return objects, {each["metadata"]["name"]: each["spec"] for each in of(objects, "PodMonitor")}
        def pod_is_kept(monitor, namespace, cluster, scheme):
            labels = {"__meta_kubernetes_namespace": namespace, "__meta_kubernetes_pod_label_app_kubernetes_io_instance": cluster,
                      "__meta_kubernetes_pod_annotation_prometheus_io_scheme": scheme}
            for rule in monitor["podMetricsEndpoints"][0]["relabelings"]:
                if "action" in rule:
                    text = ";".join(labels[name] for name in rule["sourceLabels"])
                    if bool(re.fullmatch(rule["regex"], text)) == (rule["action"] == "drop"):
                        return False
            selected = monitor["namespaceSelector"].get("matchNames", [namespace])
            wanted = monitor["selector"]["matchLabels"].get("app.kubernetes.io/instance", cluster)
            return namespace in selected and wanted == cluster
        anonymous = "cluster.settings.kvorum.auth.anonymous="
        for values in (("security.profile=strict",), (anonymous + "None",), ("security.profile=strict", "operator.enabled=false"),
                       ("security.profile=strict", "operator.watchNamespaces={*}")):
            with self.subTest(values):
                objects, found = monitors("cluster.name=shop", "monitoring.labels.release=p", *values)
                user = next(each for each in of(objects, "KvorumUser") if each["metadata"]["name"] == "shop-monitoring")
                self.assertEqual(user["metadata"]["namespace"], "here")
                self.assertNotIn("annotations", user["metadata"])
                self.assertEqual(user["spec"], {"cluster": "shop", "authentication": {"type": "token"}, "observer": True})
                own, every = found["shop-monitoring"], found["kvorum-members"]
                endpoint = own["podMetricsEndpoints"][0]
                self.assertEqual(endpoint["authorization"], {"credentials": {"name": "shop-monitoring-token", "key": "token"}})
                self.assertEqual(endpoint["scheme"], "https")
                self.assertEqual(endpoint["tlsConfig"],
                                 {"serverName": "shop.here.svc", "ca": {"configMap": {"name": "shop-ca", "key": "ca.crt"}}})
                self.assertNotIn("authorization", every["podMetricsEndpoints"][0])
                # The token goes to no other pod, and none is scraped twice, nor left out while it changes.
                for pod in (("here", "shop", "https"), ("here", "shop", ""), ("here", "other", "https"), ("there", "shop", "https")):
                    scraped = [pod_is_kept(own, *pod), pod_is_kept(every, *pod)]
                    self.assertEqual(scraped[0], pod == ("here", "shop", "https"))
                    self.assertLessEqual(sum(scraped), 1)
                self.assertTrue(pod_is_kept(every, "here", "shop", ""))
        _, found = monitors("security.profile=strict", "security.certificates.secretRef.name=certs")
        self.assertEqual(found["kvorum-monitoring"]["podMetricsEndpoints"][0]["tlsConfig"]["ca"],
                         {"secret": {"name": "certs", "key": "http.crt"}})
        for values in ((), (anonymous + "read",), ("security.profile=strict", anonymous + "all"),
                       ("security.profile=strict", "cluster.enabled=false"),
                       ("security.profile=strict", "operator.secrets=false", "security.certificates.secretRef.name=certs")):
            with self.subTest(values):
                objects, found = monitors(*values)
                self.assertNotIn("kvorum-monitoring", found)
                self.assertNotIn("observer", str(objects))
                self.assertTrue(pod_is_kept(found["kvorum-members"], "here", "kvorum", "https"))
        self.assertNotIn("observer", str(render("security.profile=strict")))

    def notes(self, *values):
        # Helm without a cluster takes itself to be of a version that it was built with.
        anywhere = altered(lambda copy: (copy / "Chart.yaml").write_text(
            re.sub("kubeVersion.*", "", (copy / "Chart.yaml").read_text())))
        settings = [word for value in values for word in ("--set", value)]
        answer = subprocess.run(["helm", "install", "kvorum", anywhere, "--dry-run=client", "--namespace", "here", *settings],
                                capture_output=True, text=True)
        if "unreachable" in answer.stderr:
            self.skipTest("this Helm writes notes only where there is a cluster")
        return answer.stdout.split("NOTES:")[1]

    def test_notes_say_how_to_reach_it(self):
        notes = self.notes()
        self.assertIn("kubectl -n here port-forward svc/kvorum 8080", notes)
        self.assertIn("curl --retry 5 --retry-connrefused -i -X PUT -d hello 'localhost:8080/v0/entity?id=greeting'", notes)
        self.assertNotIn("KvorumUser,", notes)

    def test_notes_make_a_user_where_requests_need_one(self):
        for values in (("security.profile=strict",), ("cluster.settings.kvorum.auth.anonymous=none",)):
            with self.subTest(values):
                notes = self.notes(*values)
                user = yaml.safe_load(re.search(r"echo '(\{.*?\})' \|", notes, re.DOTALL).group(1))
                self.assertEqual((user["kind"], user["spec"]["cluster"]), ("KvorumUser", "kvorum"))
                self.assertIn(f"get secret {user['metadata']['name']}-token", notes)
                self.assertIn("`observer: true`.", notes)
                self.assertIn("such as `kvorum-monitoring`,", self.notes("monitoring.podMonitor=true", *values))
                self.assertEqual(len(re.findall('curl --cacert ca.crt -H "Authorization: Bearer \\$token" .*https://', notes)), 2)
        self.assertNotIn("token", self.notes("security.profile=strict", "cluster.settings.kvorum.auth.anonymous=all"))


if __name__ == "__main__":
    unittest.main()
