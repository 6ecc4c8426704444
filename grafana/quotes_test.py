"""What quotes.py finds in a document that quotes what is not there: `python3 grafana/quotes_test.py`, or grafana/check."""

import unittest

import quotes

SOURCES = quotes.Sources()
RUNBOOK = quotes.promql.HERE / "runbooks/KvorumTest.md"


def problems(text):
    return quotes.Page(RUNBOOK, text, SOURCES).check()


class Texts(unittest.TestCase):
    def texts(self, code):
        return [text for text in quotes.java_texts(code) if text]

    def test_joins_literals_and_leaves_gaps_for_values_and_placeholders(self):
        self.assertEqual(self.texts('log.warn("Table {} is"\n    + " lost: %d of " + sum(a, b) + " keys", x);'), ["Table … is lost: … of … keys"])

    def test_keeps_apart_what_is_not_joined(self):
        self.assertEqual(self.texts('f("a b" + x, y + "c d"); g(p ? "e" : "f" + z);'), ["a b", "c d", "e", "f"])

    def test_reads_text_blocks_and_escapes_but_no_comments(self):
        code = '/* it\'s "no" */ var c = \'"\'; // "nor this"\nvar t = """\n    one\n      "two" {}\n    """ + "say \\"x\\"";'
        self.assertEqual(self.texts(code), ['one "two" … say "x"'])

    def test_ends_with_a_gap_where_a_value_follows(self):
        self.assertEqual(self.texts('close("rejected: " + why);'), ["rejected: …"])

    def test_reads_scripts(self):
        code = "# it's \"no\"\nfail \"No ${x:-} in $y: $(z)\" 'and this'"
        self.assertEqual(list(quotes.shell_texts(code)), ["No … in …: …", "and this"])


class Quotes(unittest.TestCase):
    def assert_found(self, text, *expected):
        found = problems(text)
        self.assertEqual(len(found), len(expected), found)
        for problem, part in zip(found, expected):
            self.assertIn(part, problem)

    def assert_fine(self, text):
        self.assertEqual(problems(text), [])

    def test_names_file_and_line(self):
        self.assert_found("# A\n\ntwo\nlines `all is quite lost`\n", "grafana/runbooks/KvorumTest.md:4: no main source logs “all is quite lost”")

    def test_text_of_the_log(self):
        self.assert_fine("`Slow request`, `No connection to …`, `the write-ahead log was synced up to sequence … and can be read up to …`")
        self.assert_fine("`it is lost until it\nis written or deleted`")
        self.assert_found("`The clock of this computer is more than … ms ahead`", "nearest: “The clock of this machine is more than")

    def test_pattern_of_grep(self):
        self.assert_fine("`kubectl logs kvorum-0 --previous | grep -i -e 'no connection to' -A2 -e Rejected | tail -20`")
        self.assert_fine("`kubectl get lease -A | grep nowhere`")
        self.assert_found("`kubectl logs kvorum-0 | grep 'no connection to'`", "no connection to")
        self.assert_found("`kubectl logs <member> | tail | grep -e 'No connection to' -e 'it broke'`", "“it broke”")
        self.assert_found("```\nkubectl logs kvorum-0 |\\\n  grep broke-down\n```\n", ":2: no main source logs “broke-down”")

    def test_each_alternative_of_grep(self):
        self.assert_found(r"`kubectl logs kvorum-0 | grep 'No connection to\|it broke'`", "“it broke”")
        self.assert_found("`kubectl logs kvorum-0 | grep -E 'it broke|Rejected|so there'`", "“it broke”", "“so there”")
        self.assert_found("`kubectl logs kvorum-0 | grep 'Rejected|Connected'`", "“Rejected|Connected”")
        self.assert_found("| a |\n|---|\n| `kubectl logs kvorum-0 \\| grep 'it broke'` |\n", ":3: ")

    def test_expressions_of_grep(self):
        self.assert_fine("`kubectl logs kvorum-0 | grep 'Epoch .* cannot be persisted'`")
        self.assert_found("`kubectl logs kvorum-0 | grep '^Epoch'`", "cannot be compared")
        self.assert_found("`kubectl logs kvorum-0 | grep 'Epoch`", "cannot be read")

    def test_name(self):
        self.assert_fine("`slotsBack`, `clock-ahead`, `MemberDown`, `KvorumMemberDown`, `ttl`, `-max`")
        self.assert_found("`slotsGone` `clock-behind` `KvorumTest`", "slotsGone", "clock-behind", "KvorumTest")

    def test_path(self):
        self.assert_fine("docs/operations.md, `kubectl apply -f helm/kvorum/crds`, app.kubernetes.io/name, pod/kvorum-0, ../k8s/no")
        self.assert_found("`kubectl apply -f k8s/crd`; docs/none.md.", "k8s/crd", "docs/none.md")

    def test_link(self):
        self.assert_fine("[a](KvorumMemberDown.md) [b](../../docs/operations.md#a-corrupted-store) [c](https://example.org/none.md) [d](#e)\n# E\n")
        self.assert_found("[a](KvorumNone.md) [b](../../docs/operations.md#none) [c](#none)", "KvorumNone.md", "#none", "this page")

    def test_http_path(self):
        self.assert_fine("`curl -X DELETE localhost:8090/actuator/kvorum/lost-disks`, `/actuator/health/readiness`, `GET /v0/entity?id=x`")
        self.assert_found("/actuator/beans /actuator/kvorum/lost-keys /actuator/health/none /v0/entries", *["no source serves"] * 4)

    def test_setting_and_value(self):
        self.assert_fine("`kvorum.repair.rate-max`, `--set cluster.settings.kvorum.repair.rate-max=1MB`, `monitoring.labels`")
        self.assert_found("`kvorum.repair.rate-limit`", "nearest: kvorum.repair.rate-max")
        self.assert_found("`helm upgrade kvorum helm/kvorum --set cluster.disk.size=1Gi`, `monitoring.none`", "cluster.disk.size", "monitoring.none")

    def test_panel(self):
        self.assert_fine('"Hedged reads". Kvorum / Replication, panels "Hedged reads" and "Connected"; then Kvorum / Topology and transfers, panel "Nodes"')
        self.assert_found('Kvorum / Overview, panel "Hedged reads"', "Kvorum / Overview has no panel “Hedged reads”; nearest: Kvorum / Replication, Hedged reads")
        self.assert_found('panel "99th percentile by\nmoon"', "no dashboard has a panel “99th percentile by moon”")
        self.assert_found('Kvorum / Operators, panel "Nodes"', "no dashboard Kvorum / Operators")

    def test_heading(self):
        self.assert_fine('docs/operations.md, "A corrupted store"')
        self.assert_found('docs/operations.md,\n"A broken store"', "has no heading “A broken store”")


if __name__ == "__main__":
    unittest.main()
