{{- /* Kinds with a status, and those without one, as a role names them. */ -}}
{{- define "kvorum.kinds.reporting" -}}
kvorumclusters kvorumbackups kvorumbackupschedules kvorumloadtests kvorumtasks kvorumusers
{{- end -}}
{{- define "kvorum.kinds" -}}
{{- range concat (splitList " " (include "kvorum.kinds.reporting" .)) (list "kvorumroles" "kvorumtopologies") }}
- {{ . }}
{{- end }}
{{- end -}}
{{- define "kvorum.kinds.statuses" -}}
{{- range splitList " " (include "kvorum.kinds.reporting" .) }}
- {{ . }}/status
{{- end }}
{{- end -}}
{{- /*
What the operator may do where clusters are: what it calls, and no more; RightsTest compares. Three rights are for others'
sake: what the nodes' Role grants, since nobody can grant what they may not do themselves; `watch`, for informers; and `delete`
on what is given another owner, which an admission plugin (OwnerReferencesPermissionEnforcement) asks of who does that.
*/ -}}
{{- define "kvorum.operator.rules" -}}
# The clusters' owners write the spec; the operator reads it and reports.
- apiGroups: [kvorum.dev]
  resources: [kvorumclusters, kvorumloadtests]
  verbs: [get, list, watch]
- apiGroups: [kvorum.dev]
  resources: [kvorumtasks]
  verbs: [list]
# A schedule creates backups, and deletes the objects of those that are not in the object store any more.
- apiGroups: [kvorum.dev]
  resources: [kvorumbackupschedules]
  verbs: [get, list, watch]
- apiGroups: [kvorum.dev]
  resources: [kvorumbackups]
  verbs: [list, watch, create, delete]
- apiGroups: [kvorum.dev]
  resources: [kvorumusers, kvorumroles]
  verbs: [list, watch]
# A load test or backup of a cluster that needs users has one of its own; that of a backup, an administrator, is deleted at its end.
- apiGroups: [kvorum.dev]
  resources: [kvorumusers]
  verbs: [create, delete]
- apiGroups: [kvorum.dev]
  resources: [kvorumclusters/status, kvorumloadtests/status, kvorumtasks/status, kvorumusers/status, kvorumbackups/status, kvorumbackupschedules/status]
  verbs: [update]
# It alone writes the topology.
- apiGroups: [kvorum.dev]
  resources: [kvorumtopologies]
  verbs: [get, list, watch, create, update, delete]
# A load test is made of Jobs, and of scripts in a ConfigMap; a new image is asked for its release by one. A Job is never changed.
- apiGroups: [batch]
  resources: [jobs]
  verbs: [list, watch, create, delete]
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, create, update]
{{- if .Values.operator.secrets }}
# Certificates that it issues, and the keys of their CAs: C-peer-ca, C-http-ca and C-tls of clusters C, which a rule cannot say;
# their users in C-auth, and the tokens of these, which it lists by their label.
- apiGroups: [""]
  resources: [secrets]
  verbs: [get, list, create, update]
# What it asks an issuer of cert-manager for.
- apiGroups: [cert-manager.io]
  resources: [certificates]
  verbs: [get, create, update, delete]
{{- end }}
# What a cluster is made of.
- apiGroups: [apps]
  resources: [statefulsets]
  verbs: [get, list, watch, create, update, delete]
- apiGroups: [""]
  resources: [services, serviceaccounts]
  verbs: [get, create, update, delete]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, create, update, delete]
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, create, update, delete]
# Nodes may read their topology and pods, and set conditions of their own pods, by a Role of their own.
- apiGroups: [rbac.authorization.k8s.io]
  resources: [roles, rolebindings]
  verbs: [get, create, update, delete]
# Pods are evicted or deleted to be updated, never made; volumes are raised, and given an owner when the cluster's owner asks for it.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, delete]
- apiGroups: [""]
  resources: [pods/eviction]
  verbs: [create]
- apiGroups: [""]
  resources: [pods/status]
  verbs: [patch]
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [list, update, delete]
# News of clusters; and why a pod cannot be made, which Kubernetes says in Events alone.
- apiGroups: [""]
  resources: [events]
  verbs: [list, create]
{{- end -}}
