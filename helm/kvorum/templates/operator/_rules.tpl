{{- /* What the operator may do where clusters are, each line with what it does there. */ -}}
{{- define "kvorum.operator.rules" -}}
# The clusters' owners write the spec; the operator reads it and reports.
- apiGroups: [kvorum.dev]
  resources: [kvorumclusters]
  verbs: [get, list, watch, patch, update]
- apiGroups: [kvorum.dev]
  resources: [kvorumclusters/status, kvorumclusters/finalizers]
  verbs: [get, patch, update]
# It alone writes the topology.
- apiGroups: [kvorum.dev]
  resources: [kvorumtopologies]
  verbs: [get, list, watch, create, patch, update, delete]
# Load tests are the owners' as well: the operator reads them and reports.
- apiGroups: [kvorum.dev]
  resources: [kvorumloadtests]
  verbs: [get, list, watch]
- apiGroups: [kvorum.dev]
  resources: [kvorumloadtests/status, kvorumloadtests/finalizers]
  verbs: [get, patch, update]
# A load test is made of Jobs, and of scripts in a ConfigMap; a Job is never changed.
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, delete]
# What a cluster is made of.
- apiGroups: [apps]
  resources: [statefulsets]
  verbs: [get, list, watch, create, patch, update, delete]
- apiGroups: [""]
  resources: [services, configmaps, serviceaccounts]
  verbs: [get, list, watch, create, patch, update, delete]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch, update, delete]
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, list, watch, create, patch, update, delete]
# Nodes may read their topology and pods, by a Role of their own; nobody can grant what they may not do themselves.
- apiGroups: [rbac.authorization.k8s.io]
  resources: [roles, rolebindings]
  verbs: [get, list, watch, create, patch, update, delete]
# Pods are deleted to be updated, never made; volumes are raised, and deleted when the owner asks for it.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, delete]
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get, list, watch, patch, update, delete]
# News of clusters; and why a pod cannot be made, which Kubernetes says in Events alone.
- apiGroups: [""]
  resources: [events]
  verbs: [list, create]
{{- end -}}
