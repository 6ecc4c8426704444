# shellcheck shell=bash
# The steps that scenarios are made of. Sourced by each `run`, which is given its NAMESPACE.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
: "${NAMESPACE:?is set by k8s/e2e}"
rate=${RATE:-200}

say() { echo "-- $* ($(date +%T))"; }
fail() {
  echo "FAILED: $*"
  exit 1
}
skip() {
  echo "skipped: $*"
  exit 77
}

k() { kubectl --namespace "$NAMESPACE" "$@"; }

eventually() { # seconds what command …
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < until)) || fail "$what did not come true in time"
    sleep 1
  done
  say "$what"
}

# The complete chart, with small volumes; arguments go to helm.
install() {
  kubectl create namespace "$NAMESPACE" --dry-run=client -o yaml | kubectl apply -f - >/dev/null
  helm install kvorum "$root/helm/kvorum" --namespace "$NAMESPACE" --set cluster.storage.size=1Gi "$@" >/dev/null
  eventually 180 "the cluster is ready" is_ready
}

upgrade() { # helm's arguments
  helm upgrade kvorum "$root/helm/kvorum" --namespace "$NAMESPACE" --set cluster.storage.size=1Gi "$@" >/dev/null
}

field() { # what jsonpath
  k get "$1" -o "jsonpath=$2"
}

# Ready, and of the spec that is asked for now.
is_ready() {
  local generation observed ready
  read -r generation observed ready < <(field kvorumcluster/kvorum \
    '{.metadata.generation} {.status.observedGeneration} {.status.conditions[?(@.type=="Ready")].status}')
  [[ $generation == "$observed" && $ready == True ]]
}

condition() { field kvorumcluster/kvorum "{.status.conditions[?(@.type==\"$1\")].status}"; }

has_members() { # number
  is_ready && [[ $(field kvorumcluster/kvorum '{.status.members}') == "$1" &&
    $(field statefulset/kvorum '{.spec.replicas} {.status.readyReplicas}') == "$1 $1" ]]
}

scale() { k scale kvorumcluster/kvorum --replicas="$1"; }
set_spec() { k patch kvorumcluster/kvorum --type=merge -p "{\"spec\":$1}"; }
epoch() { field kvorumtopology/kvorum '{.spec.epoch}'; }
phase() { field kvorumtopology/kvorum '{.spec.phase}'; }
is_changing() { [[ $(phase) != Stable ]]; }
has_phase() { [[ $(phase) == "$1" ]]; }
pod_is_ready() { [[ $(field "pod/$1" '{.status.conditions[?(@.type=="Ready")].status}') == True ]]; }
is_gone() { ! k get "$1" -o name; }
uid_differs() { [[ $(field "pod/$1" '{.metadata.uid}') != "$2" ]]; } # pod uid
evict() { # pod
  kubectl create --raw "/api/v1/namespaces/$NAMESPACE/pods/$1/eviction" -f - <<JSON
{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "$1", "namespace": "$NAMESPACE"}}
JSON
}

# Which pods there are and how often their containers were started: equal means that nothing was restarted.
pods() {
  k get pods -l app.kubernetes.io/name=kvorum \
    -o 'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.status.containerStatuses[0].restartCount}{"\n"}{end}'
}

# A single key, through the API server.
path() { echo "/api/v1/namespaces/$NAMESPACE/services/kvorum:8080/proxy/v0/entity?id=$1"; }
put() { kubectl replace --raw "$(path "$1")" -f <(printf %s "$2") >/dev/null; }
get() { kubectl get --raw "$(path "$1")"; }
shows() { [[ $(get "$1") == "$2" ]]; }

# The writer runs until read_back, in which it reads what was acknowledged, writes each key again and reports whether all
# is there. Its share
# of the processors is reserved, so that it is not the bottleneck. Its output is also its termination message: logs do
# not outlive everything that happens here. WRITER_USER is the KvorumUser whose token it sends, over TLS; by default none.
write() { # the workload's arguments
  local image=${WRITER_IMAGE:-} url=http://kvorum.$NAMESPACE.svc:8080 user='' volumes=''
  [[ $image ]] || image=$(field statefulset/kvorum '{.spec.template.spec.containers[0].image}')
  if [[ ${WRITER_USER:-} ]]; then
    url=https://kvorum.$NAMESPACE.svc:8080
    user=', "env": [{"name": "KVORUM_TOKEN", "valueFrom": {"secretKeyRef": {"name": "'$WRITER_USER'-token", "key": "token"}}}],
      "volumeMounts": [{"name": "ca", "mountPath": "/etc/kvorum/ca"}]'
    volumes=', "volumes": [{"name": "ca", "configMap": {"name": "kvorum-ca"}}]'
    set -- --ca=/etc/kvorum/ca/ca.crt "$@"
  fi
  k run writer --image="$image" --restart=Never --image-pull-policy=IfNotPresent \
    --override-type=strategic --overrides='{"spec": {"enableServiceLinks": false, "terminationGracePeriodSeconds": 1,
      "containers": [{"name": "writer", "resources": {"requests": {"cpu": "500m", "memory": "192Mi"}}'"$user}]$volumes}}" \
    --env=JDK_JAVA_OPTIONS='-Xmx96m -XX:+UseSerialGC' --command -- \
    java -cp /opt/kvorum/kvorum-verifier.jar dev.kvorum.verifier.Verifier --url="$url" \
    --rate="$rate" --seconds=900 --until=/tmp/stop --report=/dev/termination-log --wait-seconds=60 \
    --warm-up-seconds="${WARM_UP:-15}" --errors-max="${ERRORS_MAX:-0.001}" --pause-max-seconds="${PAUSE_MAX:-20}" \
    "$@" >/dev/null
  eventually $((90 + ${WARM_UP:-15})) "the writer writes" k exec writer -- test -s /dev/termination-log
}

read_back() {
  k exec writer -- touch /tmp/stop
  eventually 180 "the writer has ended" writer_ended
  local said
  said=$(field pod/writer '{.status.containerStatuses[0].state.terminated.message}')
  echo "$said"
  [[ ! $said =~ "in all "[0-9]+" s: 0 writes" ]] || fail "the writer has written nothing"
  [[ $(field pod/writer '{.status.phase}') == Succeeded ]] || fail "the writer failed"
}
writer_ended() { [[ $(field pod/writer '{.status.phase}') =~ Succeeded|Failed ]]; }
