# shellcheck shell=bash
# What run-cluster and start-node share about a cluster on this machine. Needs: root.
# shellcheck disable=SC2154,SC2034

data=${DATA_DIR:-$root/.data}
if [[ $data != /* ]]; then data=$PWD/$data; fi
# The process of run-cluster, its number of nodes, its three first ports and the scheme of its URLs, in one line.
lock=$data/cluster.lock
ready_seconds=120

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

port_is_taken() {
  (exec 3<>"/dev/tcp/localhost/$1") 2>/dev/null
}

is_ready() { # management port
  (
    exec 2>/dev/null 3<>"/dev/tcp/localhost/$1" || exit 1
    printf 'GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
    read -r -t 5 _ code _ <&3 && [[ $code == 200 ]]
  )
}

runs() { # pid, a word of its command: another process may have the number by now
  [[ -n $1 ]] && kill -0 "$1" 2>/dev/null && [[ $(ps -o args= -p "$1" 2>/dev/null || echo "$2") == *"$2"* ]]
}

# Reads the lock into owner, nodes, http_port, management_port, rpc_port and scheme; fails if no run-cluster holds it.
read_lock() {
  owner=
  read -r owner nodes http_port management_port rpc_port scheme 2>/dev/null <"$lock" || return 1
  runs "$owner" run-cluster
}

# Prints the process id of a node of this data directory, also if it was started by hand; nothing if it does not run.
node_process() { # number
  ps -A -ww -o pid= -o args= | option="--kvorum.data-dir=$data/kvorum-$1 " awk '
    index($0, "kvorum-app.jar --") && index($0 " ", ENVIRON["option"]) { print $1 }' | head -n 1
}

log_of() { # number
  echo "$data/kvorum-$1.log"
}

# The command by which a user reaches this cluster with make.
make_command() { # target …
  local variables=
  if [[ -n ${DATA_DIR:-} ]]; then variables="DATA_DIR=$(printf %q "$data") "; fi
  echo "${variables}make $*"
}
