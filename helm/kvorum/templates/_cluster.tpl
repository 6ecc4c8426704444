{{- /*
How many members the chart asks for, as {"replicas": n}, or {} for "says nothing".

A chart that always renders its value undoes every `kubectl scale` and fights every autoscaler at the next upgrade. One
that leaves the field out after the first time has it deleted, by Helm 3's comparison with the last manifest and by
Helm 4's server-side apply alike, and the default put in its place. So the value acts when it is new: it is kept in an
annotation, and as long as it is the one kept there, what is rendered is the number the cluster has.
*/ -}}
{{- define "kvorum.cluster.replicas" -}}
{{- $wanted := .Values.cluster.replicas -}}
{{- $live := lookup "kvorum.dev/v1alpha1" "KvorumCluster" .Release.Namespace .Values.cluster.name | default dict -}}
{{- $has := dig "spec" "replicas" nil $live -}}
{{- $last := dig "metadata" "annotations" "kvorum.dev/chart-replicas" (toString $wanted) $live -}}
{{- if and $has (or (kindIs "invalid" $wanted) (eq $last (toString $wanted))) -}}
{"replicas": {{ int $has }}}
{{- else if kindIs "invalid" $wanted -}}
{}
{{- else -}}
{"replicas": {{ int $wanted }}}
{{- end -}}
{{- end -}}

{{- /*
The profile of the cluster. One that exists keeps its profile until another is asked for: a newer chart must not restart
its members twice.
*/ -}}
{{- define "kvorum.cluster.profile" -}}
{{- $live := lookup "kvorum.dev/v1alpha1" "KvorumCluster" .Release.Namespace .Values.cluster.name | default dict -}}
{{- $none := and (eq (toString .Values.operator.secrets) "false") (not .Values.security.certificates.secretRef.name) -}}
{{- .Values.security.profile | default (dig "spec" "security" "profile" (ternary "open" "standard" (or (hasKey $live "spec") $none)) $live) -}}
{{- end -}}

{{- /*
What requests without a token may do: all, read or none. All where users cannot have one: with the profile `open`, and where
the operator may not write Secrets.
*/ -}}
{{- define "kvorum.cluster.anonymous" -}}
{{- $profile := include "kvorum.cluster.profile" . -}}
{{- $settings := include "kvorum.settings.flat" (dict "prefix" "" "settings" .Values.cluster.settings) | fromYaml -}}
{{- $anonymous := get $settings "kvorum.auth.anonymous" | default (ternary "none" "all" (eq $profile "strict")) -}}
{{- $users := and (ne $profile "open") (ne (toString .Values.operator.secrets) "false") -}}
{{- ternary (lower $anonymous) "all" $users -}}
{{- end -}}

{{- /* Whether requests need a user's token, as "yes" or nothing. */ -}}
{{- define "kvorum.cluster.needsCredentials" -}}
{{- if ne (include "kvorum.cluster.anonymous" .) "all" }}yes{{ end -}}
{{- end -}}

{{- /* Whether PodMonitors need a token for the release's own cluster: its nodes show metrics to observers only. */ -}}
{{- define "kvorum.cluster.needsObserver" -}}
{{- if and .Values.cluster.enabled (eq (include "kvorum.cluster.anonymous" .) "none") }}yes{{ end -}}
{{- end -}}

{{- /* Whether `helm test` and the notes use TLS: where clients must, and where they send a token. */ -}}
{{- define "kvorum.cluster.usesTls" -}}
{{- if or (eq (include "kvorum.cluster.profile" .) "strict") (include "kvorum.cluster.needsCredentials" .) }}yes{{ end -}}
{{- end -}}

{{- /* The settings as one flat map of strings; `kvorum: {limits: {…}}` is what `--set` makes of dots. */ -}}
{{- define "kvorum.settings.flat" -}}
{{- $prefix := .prefix -}}
{{- range $key, $value := .settings }}
{{- $name := printf "%s%s" $prefix $key -}}
{{- if kindIs "map" $value }}
{{- include "kvorum.settings.flat" (dict "prefix" (printf "%s." $name) "settings" $value) }}
{{- else }}
{{ $name }}: {{ include "kvorum.quantity" $value | quote }}
{{- end }}
{{- end }}
{{- end -}}
