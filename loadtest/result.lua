-- The result of a run as one JSON object, readable after the generator has ended: RESULT names the file,
-- RATE and CONNECTIONS repeat wrk2's arguments, since its scripts cannot read them. README.md describes the
-- fields. Only for wrk2: latencies by rank have another meaning in wrk.
local result = {}

-- Kubernetes' limit for termination messages.
local bytesMax = 4096
-- Number of statuses that are counted separately; the rarest are summed.
local statusesMax = 12
-- Points of the spectrum for each halving of the share above, and the number of halvings.
local ticksPerHalving = 2
local halvingsMax = 18
local named = { "50", "75", "90", "99", "99.9", "99.99", "99.999", "100" }
local rateMax = 100000000
-- The options of a run under the scripts' names; options that a script does not have are null.
local asked = { "keys", "valueBytesMin", "valueBytesMax", "ack", "from", "gets", "skew", "records" }
local connectionsMax = 1000000

-- The shortest text that parses to the same number; null for NaN and infinity.
local function number(value)
  if not value or value ~= value or value == math.huge or value == -math.huge then
    return "null"
  end
  if value == math.floor(value) and math.abs(value) < 2 ^ 53 then
    return string.format("%.0f", value)
  end
  for digits = 6, 16 do
    local text = string.format("%." .. digits .. "g", value)
    if tonumber(text) == value then
      return text
    end
  end
  return string.format("%.17g", value)
end

local function latencies(latency, count)
  local parts = {}
  for i, percentile in ipairs(named) do
    parts[i] = string.format('"%s":%s', percentile, number(count > 0 and latency:percentile(tonumber(percentile))))
  end
  for _, what in ipairs({ "min", "max", "mean", "stdev" }) do
    table.insert(parts, string.format('"%s":%s', what, number(count > 0 and latency[what])))
  end
  return table.concat(parts, ",")
end

-- The same latency as in wrk2's own spectrum: of the first rank at or above the percentile.
local function spectrum(latency, count)
  if count == 0 then
    return ""
  end
  local parts = {}
  for halving = 0, halvingsMax - 1 do
    local above = 100 / 2 ^ halving
    for tick = 0, ticksPerHalving - 1 do
      local percentile = 100 - above * (1 - tick / (2 * ticksPerHalving))
      local rank = math.max(1, math.ceil(percentile * count / 100))
      if rank < count then
        table.insert(parts, "[" .. number(percentile) .. "," .. number(latency[rank]) .. "]")
      end
    end
  end
  table.insert(parts, "[100," .. number(latency[count]) .. "]")
  return table.concat(parts, ",")
end

local function statuses(counts)
  local ranked, parts, rest = {}, {}, 0
  for status, count in pairs(counts) do
    table.insert(ranked, { status = status, count = count })
  end
  table.sort(ranked, function(a, b)
    return a.count > b.count or a.count == b.count and a.status < b.status
  end)
  for i, each in ipairs(ranked) do
    if i <= statusesMax then
      table.insert(parts, string.format('"%d":%s', each.status, number(each.count)))
    else
      rest = rest + each.count
    end
  end
  if rest > 0 then
    table.insert(parts, '"other":' .. number(rest))
  end
  return table.concat(parts, ",")
end

-- Errors by kind. A 404 to a GET is not an error here, though wrk2 counts it as one.
local function split(summary, counts, run)
  local errors, notFound = {}, 0
  for status, count in pairs(counts) do
    if status == 404 and run.reads then
      notFound = count
    else
      errors[status] = count
    end
  end
  return errors, notFound
end

local function askedFor(run)
  local parts = {}
  for i, name in ipairs(asked) do
    parts[i] = string.format('"%s":%s', name, number(run[name]))
  end
  return table.concat(parts, ",")
end

-- The text of a result.
function result.json(summary, latency, counts, run)
  local errors, notFound = split(summary, counts, run)
  local count, seconds = #latency, summary.duration / 1000000
  local text = table.concat({
    '{"format":1,"tool":"wrk2","workload":"', run.workload,
    '","offered":', number(run.rate), ',"achieved":', number(summary.requests / seconds),
    ',"seconds":', number(seconds), ',"connections":', number(run.connections), ',"threads":', number(run.threads),
    ",", askedFor(run),
    ',"requests":', number(summary.requests), ',"bytes":', number(summary.bytes), ',"notFound":', number(notFound),
    ',"latencyMicros":{"count":', number(count), ",", latencies(latency, count),
    '},"errors":{"status":{', statuses(errors),
    '},"connect":', number(summary.errors.connect), ',"read":', number(summary.errors.read),
    ',"write":', number(summary.errors.write), ',"timeout":', number(summary.errors.timeout),
    '},"spectrum":[', spectrum(latency, count), "]}",
  })
  assert(#text <= bytesMax, "the result has more than " .. bytesMax .. " bytes")
  return text
end

local file, run

-- Checks before any load whether a result is requested and can be written.
function result.prepare(kvorum, options)
  file = os.getenv("RESULT")
  if not file or file == "" then
    file = nil
    return
  end
  for _, name in ipairs({ "RATE", "CONNECTIONS" }) do
    if not os.getenv(name) then
      kvorum.reject("RESULT is set, but not " .. name .. ", which wrk2 does not pass to its scripts")
    end
  end
  kvorum.whole("RATE", os.getenv("RATE"), 1, rateMax)
  kvorum.whole("CONNECTIONS", os.getenv("CONNECTIONS"), 1, connectionsMax)
  local handle, why = io.open(file, "a")
  if not handle then
    kvorum.reject("no result can be written: " .. why)
  end
  handle:close()
  kvorum.countStatuses()
  -- For done(), which runs in a separate Lua state without the arguments.
  wantsResult = 1
  for _, name in ipairs(asked) do
    getfenv(0)["asked_" .. name] = options[name]
  end
end

-- Describes the script for its result. `reads`: it reads keys that may not exist.
function result.describe(workload, reads)
  run = { workload = workload, reads = reads }
end

-- Writes the result, if one was requested.
function result.write(summary, latency, counts, threads)
  local thread = threads[1]
  if not thread or thread:get("wantsResult") ~= 1 then
    return
  end
  run.rate, run.connections, run.threads = tonumber(os.getenv("RATE")), tonumber(os.getenv("CONNECTIONS")), #threads
  for _, name in ipairs(asked) do
    run[name] = thread:get("asked_" .. name)
  end
  local handle = assert(io.open(os.getenv("RESULT"), "w"))
  assert(handle:write(result.json(summary, latency, counts, run)))
  assert(handle:close())
end

return result
