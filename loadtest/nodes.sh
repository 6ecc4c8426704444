# shellcheck shell=bash
# Nodes to put under load; bench, capacity, profile and recovery source it after generator.sh. Needs: root keys warmup.
# Sets $work, a directory that is removed when the script ends. At the end it stops every process it started.
# shellcheck disable=SC2154,SC2034

value=${VALUE:-100}
connections=${CONNECTIONS:-64}
threads=${THREADS:-2}
http=${HTTP_PORT:-18080}
management=${MANAGEMENT_PORT:-18090}
rpc=${RPC_PORT:-17400}
data=${DATA_DIR:-$root/app/target/bench}
work=$(mktemp -d)
cluster_pid=

fail() {
  echo "$1" >&2
  exit 1
}

say() {
  echo "$(date +%H:%M:%S) $*" >&2
}

# Nodes without data.
start_cluster() { # nodes, settings …
  rm -rf "$data/nodes"
  launch_cluster "$@"
}

# Nodes with the data of those that ran before.
launch_cluster() { # nodes, settings …
  local nodes=$1
  shift
  say "starting $nodes node(s) $*"
  : >"$work/cluster.log"
  NODES=$nodes HTTP_PORT=$http MANAGEMENT_PORT=$management RPC_PORT=$rpc DATA_DIR=$data/nodes \
    app/bin/run-cluster "$@" >"$work/cluster.log" 2>&1 &
  cluster_pid=$!
  until grep -q 'Ctrl-C' "$work/cluster.log"; do
    kill -0 "$cluster_pid" 2>/dev/null || fail "The nodes did not start: $(cat "$work/cluster.log")"
    sleep 0.2
  done
}

pids_of_nodes() {
  cat "$data"/nodes/*.pid
}

# Resident memory of each node, in KiB.
rss_of_nodes() {
  ps -o rss= -p "$(pids_of_nodes | paste -sd ,)" || true
}

# Resident memory of the largest node after the load, in MiB.
resident_of_nodes() {
  rss_of_nodes | awk '$1 > most { most = $1 } END { printf "%d", most / 1024 }'
}

urls() { # nodes
  local i
  for ((i = 0; i < $1; i++)); do echo "http://localhost:$((http + i))"; done
}

prepare() { # ack from nodes
  say "filling $keys keys"
  fill "http://localhost:$http" "$1" "$2"
  say "warming up for $warmup s"
  # shellcheck disable=SC2046 # one URL a word
  run_load mixed max "$connections" "$warmup" "$1" "$2" $(urls "$3")
}

end_cluster() {
  if [[ -z $cluster_pid ]]; then return 0; fi
  kill "$cluster_pid" 2>/dev/null || true
  wait "$cluster_pid" 2>/dev/null || true
  cluster_pid=
}

stop_cluster() {
  end_cluster
  rm -rf "$data/nodes"
}

# A script that starts other processes overrides this to stop them.
stop_more() { :; }

cleanup() {
  local status=$?
  # A failure here must not prevent the rest from being stopped.
  set +e
  trap '' INT TERM
  trap - EXIT
  stop_generators
  stop_cluster
  stop_more
  rm -rf "$work"
  exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
