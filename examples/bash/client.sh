#!/usr/bin/env bash
set -euo pipefail
url=${KVORUM_URL:-http://localhost:8080}
prefix="curl:$RANDOM$RANDOM:"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kvorum() { curl -sS --max-time 10 --retry 5 --retry-connrefused --retry-max-time 30 "$@"; }
encoded() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'; } # percent-encodes every byte
entity() { printf '%s/v0/entity?id=%s' "$url" "$(encoded "$1")"; }

# Put: the value says who wrote it, and the answer's ETag is its version.
value="from $HOSTNAME, write 1"
kvorum --fail -X PUT --data-binary "$value" -D "$work/head" "$(entity "${prefix}grün & co")"
version=$(grep -i '^etag:' "$work/head" | tr -d ' \r' | cut -d : -f 2)

# Get, and get only what has changed.
[[ $(kvorum --fail "$(entity "${prefix}grün & co")") == "$value" ]]
code=$(kvorum -o "$work/body" -w '%{http_code}' -H "If-None-Match: $version" "$(entity "${prefix}grün & co")")
[[ $code == 304 ]]

# Range as JSON lines: `--fail` and the exit code tell whether it was complete; resume behind the last record if not.
for i in 1 2 3 4 5; do kvorum --fail -X PUT --data-binary "$i" "$(entity "${prefix}n$i")"; done
from="start=$(encoded "${prefix}n")"
for attempt in 1 2 3 4 5; do
  complete=yes
  curl -sS --fail -N --max-time 60 -H 'Accept: application/x-ndjson' \
    "$url/v0/entities?$from&end=$(encoded "${prefix}o")&limit=100" >"$work/page" || complete=no
  grep '^{"key":.*"}$' "$work/page" >>"$work/records" || true
  [[ $complete == no ]] || break
  last=$(grep -o '"resume":"[^"]*"}$' "$work/page" | tail -n 1 | cut -d '"' -f 4 || true)
  [[ -z $last ]] || from="resume=$last"
  sleep "$attempt"
done
[[ $complete == yes ]]
[[ $(wc -l <"$work/records") -eq 5 ]]

# Delete: 202, and 404 to a GET from now on.
kvorum --fail -X DELETE "$(entity "${prefix}grün & co")"
[[ $(kvorum -o "$work/body" -w '%{http_code}' "$(entity "${prefix}grün & co")") == 404 ]]
for i in 1 2 3 4 5; do kvorum --fail -X DELETE "$(entity "${prefix}n$i")"; done
echo "curl: ok"
