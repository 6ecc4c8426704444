{{- /* Names, labels and images. The same values make the same objects, whenever and however often. */ -}}

{{- /* What the names of the release's objects begin with. */ -}}
{{- define "kvorum.fullname" -}}
{{- .Values.fullnameOverride | default .Release.Name -}}
{{- end -}}

{{- define "kvorum.operator.name" -}}
{{- printf "%s-operator" (include "kvorum.fullname" . | trimSuffix "-operator" | trunc 54 | trimSuffix "-") -}}
{{- end -}}

{{- /* What is about the members of all clusters. */ -}}
{{- define "kvorum.members.name" -}}
{{- printf "%s-members" (include "kvorum.fullname" . | trimSuffix "-operator") | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "kvorum.operator.account" -}}
{{- .Values.operator.serviceAccount.name | default (include "kvorum.operator.name" .) -}}
{{- end -}}

{{- /* What never changes: selectors are made of these. */ -}}
{{- define "kvorum.operator.selector" -}}
app.kubernetes.io/name: kvorum-operator
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kvorum.operator.labels" -}}
{{ include "kvorum.operator.selector" . }}
{{ include "kvorum.labels" . }}
{{- end -}}

{{- define "kvorum.labels" -}}
app.kubernetes.io/part-of: kvorum
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (replace "+" "_" .Chart.Version) }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Of what a Prometheus operator selects by labels; these take precedence. */ -}}
{{- define "kvorum.monitoring.labels" -}}
{{- merge (dict) .Values.monitoring.labels (include "kvorum.labels" . | fromYaml) | toYaml -}}
{{- end -}}

{{- define "kvorum.node.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{- define "kvorum.operator.image" -}}
{{- printf "%s:%s" .Values.operator.image.repository (.Values.operator.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{- define "kvorum.pullSecrets" -}}
{{- range .Values.image.pullSecrets }}
- name: {{ . }}
{{- end }}
{{- end -}}

{{- /* A number or a quantity as text. Helm keeps large numbers of values as floating-point ones, and writes these as 1e+09. */ -}}
{{- define "kvorum.quantity" -}}
{{- if not (kindIs "float64" .) }}{{ toString . }}
{{- else if eq (float64 (int64 .)) . }}{{ int64 . }}
{{- else }}{{ toJson . }}
{{- end -}}
{{- end -}}

{{- /* Requests and limits, with quantities as text. */ -}}
{{- define "kvorum.resources" -}}
{{- $resources := dict -}}
{{- range $kind, $quantities := . -}}
{{- $texts := dict -}}
{{- range $name, $quantity := $quantities -}}
{{- $texts = set $texts $name (include "kvorum.quantity" $quantity) -}}
{{- end -}}
{{- $resources = set $resources $kind $texts -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{- /* Whether namespaces assign ids of users and groups to pods, and admit no others, as "yes" or nothing. */ -}}
{{- define "kvorum.openshift" -}}
{{- if eq (toString .Values.openshift) "auto" -}}
{{- if .Capabilities.APIVersions.Has "security.openshift.io/v1" }}yes{{ end -}}
{{- else if eq (toString .Values.openshift) "true" }}yes{{ end -}}
{{- end -}}

{{- /* The user and group of a pod's or container's security context. */ -}}
{{- define "kvorum.ids" -}}
{{- if not (include "kvorum.openshift" .) -}}
runAsUser: 10001
runAsGroup: 10001
{{- end -}}
{{- end -}}

{{- define "kvorum.operator.everywhere" -}}
{{- if has "*" .Values.operator.watchNamespaces }}yes{{ end -}}
{{- end -}}

{{- /* Comma separated, as the operator takes them; with the release's own, where a cluster of its own would wait in vain. */ -}}
{{- define "kvorum.operator.namespaces" -}}
{{- $asked := .Values.operator.watchNamespaces | default (list .Release.Namespace) -}}
{{- if include "kvorum.operator.everywhere" . -}}*
{{- else -}}{{ ternary (append $asked .Release.Namespace) $asked .Values.cluster.enabled | uniq | join "," }}
{{- end -}}
{{- end -}}

{{- /*
The Lease by which one operator leads. All that operate clusters of the release's own namespace have one, whatever their
releases are called, and so have those for all namespaces.
*/ -}}
{{- define "kvorum.operator.lease" -}}
{{- $namespaces := splitList "," (include "kvorum.operator.namespaces" .) -}}
{{- if or (has "*" $namespaces) (has .Release.Namespace $namespaces) }}kvorum-operator
{{- else }}{{ include "kvorum.operator.name" . }}-elsewhere
{{- end -}}
{{- end -}}

{{- /* Fails where another release has an operator for one of the same namespaces, as far as this can be seen in its own. */ -}}
{{- define "kvorum.operator.alone" -}}
{{- $own := splitList "," (include "kvorum.operator.namespaces" .) -}}
{{- $deployments := lookup "apps/v1" "Deployment" .Release.Namespace "" -}}
{{- range $there := dig "items" list $deployments -}}
{{- $labels := dig "metadata" "labels" dict $there -}}
{{- $release := get $labels "app.kubernetes.io/instance" -}}
{{- $runs := gt (int (dig "spec" "replicas" 1 $there)) 0 -}}
{{- if and (eq (get $labels "app.kubernetes.io/name") "kvorum-operator") (ne $release $.Release.Name) $runs -}}
{{- range (first $there.spec.template.spec.containers).env -}}
{{- if eq .name "WATCH_NAMESPACES" -}}
{{- range $namespace := splitList "," (.value | default "*") -}}
{{- if or (eq $namespace "*") (has "*" $own) (has $namespace $own) -}}
{{- fail (printf "\n\nRelease %s has an operator for %s already, and one cluster must not have two. Set operator.enabled=false, or operator.watchNamespaces to others." $release (ternary "all namespaces" (printf "namespace %s" $namespace) (eq $namespace "*"))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "kvorum.annotations.scrape" -}}
prometheus.io/scrape: "true"
prometheus.io/port: {{ .port | quote }}
prometheus.io/path: {{ .path }}
{{- end -}}
