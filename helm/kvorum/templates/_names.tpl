{{- /* Names, labels and images. The same values make the same objects, whenever and however often. */ -}}

{{- define "kvorum.operator.name" -}}
{{- printf "%s-operator" (trimSuffix "-operator" .Release.Name) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- /* What is about the members of all clusters. */ -}}
{{- define "kvorum.members.name" -}}
{{- printf "%s-members" (trimSuffix "-operator" .Release.Name) | trunc 63 | trimSuffix "-" -}}
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

{{- define "kvorum.annotations.scrape" -}}
prometheus.io/scrape: "true"
prometheus.io/port: {{ .port | quote }}
prometheus.io/path: {{ .path }}
{{- end -}}
