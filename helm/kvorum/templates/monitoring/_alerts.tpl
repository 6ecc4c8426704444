{{- /*
The thresholds of alerts that are a value, as they are in their expressions: {0} is the number. Those of other alerts follow from
what they are about, as limits of a node, or from the objectives.
*/ -}}
{{- define "kvorum.alerts.thresholds" -}}
KvorumAdmissionShedding: ["> {0}", "0.01"]
KvorumBackupPinned: ["> {0}", "0.05"]
KvorumBackupTooOld: ["> {0} * 86400", "2"]
KvorumBackupVerificationOld: ["> {0} * 86400", "35"]
KvorumCertificateExpires: ["< {0} * 86400", "30"]
KvorumCpuThrottled: ["> {0}", "0.25"]
KvorumLoadTestErrors: ["> {0}", "0"]
KvorumLongPauses: ["> {0}", "0.5"]
KvorumMemberRestarting: ["> {0}", "2"]
KvorumMemoryNearLimit: ["> {0}", "0.9"]
KvorumOperatorFailing: ["> {0}", "0.5"]
KvorumQuorumShortfalls: ["> {0}", "0.1"]
KvorumSlowCommit: ["> {0}", "0.1"]
KvorumTopologyStale: ["> {0}", "600"]
KvorumWriteStall: ["> {0}", "0.05"]
{{- end -}}

{{- /* An alert as the values change it, from {"rule": …, "change": …, "runbooks": …}; nothing if it is left out. */ -}}
{{- define "kvorum.alerts.rule" -}}
{{- $rule := .rule -}}
{{- $change := .change | default dict -}}
{{- if ne (toString $change.enabled) "false" -}}
{{- if hasKey $change "threshold" -}}
{{- $threshold := get (include "kvorum.alerts.thresholds" . | fromYaml) $rule.alert -}}
{{- if not $threshold }}{{ fail (printf "monitoring.alerts.%s has no threshold" $rule.alert) }}{{ end -}}
{{- $text := replace "{0}" (index $threshold 1) (index $threshold 0) -}}
{{- if not (contains $text $rule.expr) }}{{ fail (printf "%s: %q is not in its expression" $rule.alert $text) }}{{ end -}}
{{- $next := replace "{0}" (include "kvorum.quantity" $change.threshold) (index $threshold 0) -}}
{{- $rule = set $rule "expr" (replace $text $next $rule.expr) -}}
{{- end -}}
{{- with get $change "for" }}{{ $rule = set $rule "for" . }}{{ end -}}
{{- $labels := merge (dict) ($change.labels | default dict) ($rule.labels | default dict) -}}
{{- with $change.severity }}{{ $labels = set $labels "severity" . }}{{ end -}}
{{- $rule = set $rule "labels" $labels -}}
{{- $annotations := $rule.annotations | default dict -}}
{{- if not $annotations.runbook_url -}}
{{- else if .runbooks -}}
{{- $annotations = set $annotations "runbook_url" (printf "%s/%s" (trimSuffix "/" .runbooks) $annotations.runbook_url) -}}
{{- else -}}
{{- $annotations = set (omit $annotations "runbook_url") "runbook" $annotations.runbook_url -}}
{{- end -}}
{{- toYaml (set $rule "annotations" $annotations) -}}
{{- end -}}
{{- end -}}
