# shellcheck shell=bash
# One interface to the load generators; bench and profile source it. The generators differ in their options and in the
# meaning of their figures. Needs: connections threads keys value work (a directory).
# shellcheck disable=SC2154

generator=
tool=
generator_pids=()

find_generator() {
  # wrk2 built from source is named wrk as well: only its usage text distinguishes them.
  local candidate
  for candidate in ${WRK2:+"$WRK2"} wrk2 oha wrk; do
    tool=$(command -v "$candidate") || continue
    case $candidate in
      oha) generator=oha ;;
      *) if usage_of "$tool" | grep -q -e '--rate'; then generator=wrk2; else generator=wrk; fi ;;
    esac
    return 0
  done
  return 1
}

usage_of() {
  "$1" 2>&1 || true
}

can_fix_rates() {
  [[ $generator != wrk ]]
}

describe_generator() {
  case $generator in
    wrk2) echo "wrk2; latency at a fixed rate is corrected for coordinated omission, at the maximum it is the time from sending to answer" ;;
    oha) echo "$("$tool" --version); latency at a fixed rate is corrected for coordinated omission, at the maximum it is the time from sending to answer" ;;
    wrk) echo "wrk; latency is the time from sending to answer and leaves out what waited unsent (coordinated omission); no fixed rates" ;;
  esac
}

stop_generators() {
  local pid
  for pid in ${generator_pids[@]+"${generator_pids[@]}"}; do kill "$pid" 2>/dev/null || true; done
  generator_pids=()
}

# Runs put, get, mixed, put-counted or get-counted and leaves one line in $work/result: answers a second; p50, p99,
# p99.9 in microseconds; errors; answers 429 or 503; answers 504; good answers a second. A generator takes one
# URL: several URLs run one process each with a share of the connections. Rates and errors are then added; of the
# percentiles the largest is reported, an upper bound for all clients, since percentiles cannot be added.
run_load() { # kind rate|max connections seconds ack from url …
  local kind=$1 rate=$2 all=$3 seconds=$4 ack=$5 from=$6 parts i=0 url pid status=0
  shift 6
  parts=$#
  for url in "$@"; do
    "command_$generator" "$kind" "$rate" "$(((all + parts - 1 - i) / parts))" "$seconds" "$ack" "$from" "$url" "$parts"
    "${command[@]}" >"$work/part-$i" 2>&1 &
    generator_pids+=($!)
    i=$((i + 1))
  done
  for pid in "${generator_pids[@]}"; do wait "$pid" || status=$?; done
  generator_pids=()
  for ((i = 0; i < parts; i++)); do
    if ((status != 0)) || ! "read_$generator" "$rate" <"$work/part-$i" >>"$work/parts"; then
      echo "The generator failed: ${command[*]}" >&2
      tail -n 20 "$work/part-$i" >&2
      return 1
    fi
  done
  awk '
    function largest(i) { if (worst[i] != "-" && ($i == "-" || $i + 0 > worst[i] + 0)) worst[i] = $i }
    { rate += $1; for (i = 2; i <= 4; i++) largest(i); errors += $5; shed += $6; late += $7; good += $8 }
    END { print rate, worst[2], worst[3], worst[4], errors, shed, late, good }' "$work/parts" >"$work/result"
  rm "$work/parts"
}

script_of() { # kind
  echo "loadtest/${1%-counted}.lua"
}

fifth_argument() { # kind
  case $1 in *-counted) echo statuses ;; *) ;; esac
}

# The configured number of threads, divided among the processes, and no more than connections.
threads_for() { # connections processes
  local each=$(((threads + $2 - 1) / $2))
  echo $((each < $1 ? each : $1))
}

command_wrk() { # kind rate connections seconds ack from url processes
  command=("$tool" -t "$(threads_for "$3" "$8")" -c "$3" -d "$4" --timeout 5s -s "$(script_of "$1")" "$7" --
    "$keys" "$value" "$5" "$6" "$(fifth_argument "$1")")
}

command_wrk2() { # as command_wrk
  local rate=$2 seconds=$4
  if [[ $rate == max ]]; then
    # A rate that no node reaches: no connection ever waits before it sends.
    rate=10000000
  else
    # wrk2 spends its first ten seconds on calibration and discards their latencies.
    seconds=$((seconds + 10))
  fi
  command=("$tool" -t "$(threads_for "$3" "$8")" -c "$3" -d "$seconds" -R "$rate" -U --timeout 5s -s "$(script_of "$1")" "$7" --
    "$keys" "$value" "$5" "$6" "$(fifth_argument "$1")")
}

read_wrk() {
  read_script 0
}

# At the maximum rate intended send times are meaningless: use the uncorrected percentiles.
read_wrk2() { # rate|max
  if [[ $1 == max ]]; then read_script 1; else read_script 0; fi
}

# From the line that kvorum.lua prints, or its percentiles from wrk2's own uncorrected ones above it.
read_script() { # 0|1
  awk -v uncorrected="$1" '
    function micros(text) {
      if (text ~ /us$/) return text + 0
      if (text ~ /ms$/) return text * 1000
      if (text ~ /m$/) return text * 60000000
      return text * 1000000
    }
    /Uncorrected Latency/ { within = 1 }
    within && $1 == "50.000%" { u50 = micros($2) }
    within && $1 == "99.000%" { u99 = micros($2) }
    within && $1 == "99.900%" { u999 = micros($2); within = 0 }
    /^kvorum / {
      for (i = 2; i <= NF; i++) { split($i, pair, "="); v[pair[1]] = pair[2] }
      if (uncorrected) { v["p50"] = u50; v["p99"] = u99; v["p999"] = u999 }
      seconds = v["micros"] / 1000000
      print v["requests"] / seconds, v["p50"], v["p99"], v["p999"], v["status"] + v["socket"] + v["timeout"], \
        v["shed"], v["late"], (v["requests"] - v["status"]) / seconds
      seen = 1
    }
    END { exit !seen }'
}

# oha runs no script: keys come from a pattern, so the key space is the largest power of ten in KEYS. Its
# mixed load is PUTs alone.
command_oha() { # as command_wrk
  local digits=0 left=$keys query='' options=()
  while ((left >= 10)); do
    left=$((left / 10))
    digits=$((digits + 1))
  done
  if [[ $5 != - ]]; then query+="&ack=$5"; fi
  if [[ $6 != - ]]; then query+="&from=$6"; fi
  if [[ $1 != get* ]]; then options+=(-m PUT -d "$(head -c "$value" /dev/zero | tr '\0' v)"); fi
  if [[ $2 != max ]]; then options+=(-q "$2" --latency-correction); fi
  command=("$tool" --no-tui --output-format json -z "${4}s" -c "$3" -t 5s ${options[@]+"${options[@]}"} --rand-regex-url
    "$(printf '%s/v0/entity[?]id=k%0*d[0-9]{%d}%s' "$7" $((10 - digits)) 0 "$digits" "$query")")
}

read_oha() {
  tr -d ' ",' | awk -F : '
    function micros(seconds) { return seconds == "null" ? "-" : seconds * 1000000 }
    /[{]$/ { section = $1; next }
    section == "summary" && $1 == "total" { seconds = $2 }
    section == "summary" && $1 == "requestsPerSec" { rate = $2 }
    section == "latencyPercentiles" && $1 == "p50" { p50 = micros($2) }
    section == "latencyPercentiles" && $1 == "p99" { p99 = micros($2) }
    section == "latencyPercentiles" && $1 == "p99.9" { p999 = micros($2) }
    section == "statusCodeDistribution" && $1 ~ /^[0-9]+$/ {
      answers += $2
      if ($1 >= 400) errors += $2
      if ($1 == 503 || $1 == 429) shed += $2
      if ($1 == 504) late += $2
    }
    # Requests cut off by the end of the run are not errors.
    section == "errorDistribution" && NF > 1 && $0 !~ /deadline/ { broken += $NF }
    END { print answers / seconds, p50, p99, p999, errors + broken, shed + 0, late + 0, (answers - errors) / seconds }'
}

# Puts every key once, in order, repeatedly until there is no error.
fill() { # url ack from
  local attempt rate=()
  if [[ $generator == wrk2 ]]; then rate=(-R 10000000); fi
  if [[ $generator == oha ]]; then
    head -c "$value" /dev/zero | tr '\0' v >"$work/value"
    command=(curl -sS -f -Z --parallel-max "$connections" -T "$work/value" -o /dev/null
      "$1/v0/entity?id=k[$(printf '%010d-%010d' 0 $((keys - 1)))]&ack=$2&from=$3" -w '')
  else
    command=("$tool" -t "$threads" -c "$connections" -d 3600 ${rate[@]+"${rate[@]}"} --timeout 5s
      -s loadtest/fill.lua "$1" -- "$keys" "$value" "$2" "$3" "$threads")
  fi
  for attempt in 1 2 3; do
    "${command[@]}" >"$work/fill" 2>&1 &
    generator_pids=($!)
    if [[ $generator == wrk ]]; then interrupt_when_filled $!; fi
    if wait $! && { [[ $generator == oha ]] || grep -q ' status=0 socket=0 timeout=0 ' "$work/fill"; }; then
      generator_pids=()
      return 0
    fi
    echo "attempt $attempt to fill: $(tail -n 1 "$work/fill")" >&2
  done
  echo "The keys could not be filled in without errors." >&2
  return 1
}

# Ends a wrk whose threads have all stopped, as Ctrl-C would.
interrupt_when_filled() { # pid
  until (($(grep -c '^filled$' "$work/fill") >= threads)); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.2
  done
  kill -INT "$1"
}
