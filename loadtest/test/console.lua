-- Whether a result and wrk2's console agree to the last digit shown: luajit console.lua <console> <result>.
-- wrk2 formats in numbers of more digits than Lua has. A value half-way between two that can be shown may
-- be rounded to either here: both are accepted.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local json = dofile(folder .. "json.lua")

local function read(path)
  local handle = assert(io.open(path))
  local text = handle:read("*a")
  handle:close()
  return text
end

local console, result = read(arg[1]), json.read(read(arg[2]))
local compared = 0

local function scaled(value, scale, units, base)
  local unit = base
  for i = 1, #units - 1 do
    if value >= scale * 0.85 then
      value, unit = value / scale, units[i]
    end
  end
  return value, unit
end

-- Both neighbours of the shown value, if they differ.
local function texts(value, digits, unit)
  local tiny = math.abs(value) * 1e-13
  return {
    string.format("%." .. digits .. "f%s", value - tiny, unit),
    string.format("%." .. digits .. "f%s", value + tiny, unit),
  }
end

local function time(micros)
  if micros >= 1000000 then
    local value, unit = scaled(micros / 1000000, 60, { "m", "h" }, "s")
    return texts(value, 2, unit)
  end
  local value, unit = scaled(micros, 1000, { "ms", "s" }, "us")
  return texts(value, 2, unit)
end

local function binary(bytes)
  local value, unit = scaled(bytes, 1024, { "K", "M", "G", "T", "P" }, "")
  return texts(value, 2, unit .. "B")
end

local function holds(what, shown, wanted)
  if not shown or shown ~= wanted[1] and shown ~= wanted[2] then
    io.stderr:write(string.format("%s: wrk2 shows %s, the result has %s\n", what, tostring(shown), wanted[1]))
    os.exit(1)
  end
  compared = compared + 1
end

local function count(what, shown, wanted)
  holds(what, shown, texts(wanted, 0, ""))
end

local latency, errors = result.latencyMicros, result.errors
local mean, stdev, max = console:match("\n    Latency%s+(%S+)%s+(%S+)%s+(%S+)")
holds("Avg", mean, time(latency.mean))
holds("Stdev", stdev, time(latency.stdev))
holds("Max", max, time(latency.max))
for _, percentile in ipairs({ "50", "75", "90", "99", "99.9", "99.99", "99.999", "100" }) do
  local label = string.format("%.3f", tonumber(percentile)):gsub("%.", "%%.")
  holds(percentile .. "%", console:match("\n%s*" .. label .. "%%%s+(%S+)"), time(latency[percentile]))
end

-- Of the spectrum, the points that both have; wrk2 has five for each halving, the result two.
local shown, points = {}, 0
for value, percentile in console:gmatch("\n%s+([%d.]+)%s+([01]%.%d+)%s+%d+%s+[%dinf.]+") do
  shown[percentile] = shown[percentile] or value
end
for _, point in ipairs(result.spectrum) do
  local label = string.format("%.6f", point[1] / 100)
  if shown[label] and point[1] < 99.99 then
    holds("the spectrum at " .. label, shown[label], texts(point[2] / 1000, 3, ""))
    points = points + 1
  end
end
assert(points >= 5, "only " .. points .. " points in common")

holds("Mean", console:match("#%[Mean%s+=%s+([%d.]+)"), texts(latency.mean / 1000, 3, ""))
holds("StdDeviation", console:match("StdDeviation%s+=%s+([%d.]+)"), texts(latency.stdev / 1000, 3, ""))
holds("Max of the spectrum", console:match("#%[Max%s+=%s+([%d.]+)"), texts(latency.max / 1000, 3, ""))
count("Total count", console:match("Total count%s+=%s+(%d+)"), latency.count)
count("requests", console:match("\n%s+(%d+) requests in "), result.requests)
holds("the time", console:match("requests in ([^,]+),"), time(result.seconds * 1000000))
holds("bytes read", console:match("requests in [^,]+, (%S+) read"), binary(result.bytes))
holds("Requests/sec", console:match("Requests/sec:%s+(%S+)"), texts(result.achieved, 2, ""))

local rejected = result.notFound
for _, each in pairs(errors.status) do
  rejected = rejected + each
end
count("Non-2xx or 3xx responses", console:match("Non%-2xx or 3xx responses: (%d+)") or "0", rejected)
for _, what in ipairs({ "connect", "read", "write", "timeout" }) do
  count(what, console:match("Socket errors:.-" .. what .. " (%d+)") or "0", errors[what])
end
print(string.format("%s: %d values agree with wrk2's console", result.workload, compared))
