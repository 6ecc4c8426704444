-- Tests of the results that the scripts write, on a stub of wrk2's API: luajit loadtest/test/results.lua [seed].
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local suite = dofile(folder .. "suite.lua")
local stub = dofile(folder .. "stub.lua")
local json = dofile(folder .. "json.lua")
local same, test, start = suite.same, suite.test, suite.start

local function summary(requests, micros, bytes, status, socket)
  return { requests = requests, duration = micros, bytes = bytes,
    errors = { status = status, connect = socket, read = socket, write = socket, timeout = socket } }
end

-- A run with a result, its answers counted; what was written.
local function resultOf(workload, arguments, answers, what, latency, threads)
  local file = os.tmpname()
  local run = start(workload, arguments, { RESULT = file, RATE = "2000", CONNECTIONS = "64" }, threads)
  same(nil, run.rejected)
  for i, each in ipairs(answers) do
    run.environments[(i - 1) % (threads or 1) + 1].response(each, {}, "")
  end
  run.done(what, latency)
  local handle = assert(io.open(file))
  local text = handle:read("*a")
  handle:close()
  os.remove(file)
  return text, run.output.lines
end

test("without RESULT there is one line and nothing is parsed", function()
  local run = start("put", {})
  same(nil, rawget(run.environments[1], "response"))
  run.done(summary(10, 2000000, 500, 3, 1), stub.latencies({ 1, 2, 3 }, 2, 1))
  same(1, #run.output.lines)
  same("kvorum requests=10 micros=2000000 p50=2 p99=3 p999=3 status=3 socket=3 timeout=1 shed=0 late=0",
    run.output.lines[1])
end)

test("counted statuses are reported, with and without a result", function()
  local run = start("put", { "10", "10", "-", "-", "statuses" }, {}, 2)
  for i, status in ipairs({ 200, 201, 503, 503, 429, 504, 404 }) do
    run.environments[i % 2 + 1].response(status)
  end
  run.done(summary(7, 1000000, 1, 5, 0), stub.latencies({ 1 }, 1, 0))
  assert(run.output.lines[1]:match("status=5 socket=0 timeout=0 shed=3 late=1$"), run.output.lines[1])
end)

test("a result has the options and the measurements of its run", function()
  local text = resultOf("skewed", { "1000", "100-200", "2", "3", "80", "1.1" },
    { 200, 404, 503, 404, 503, 504 }, summary(119920, 60012345, 7654321, 5, 0), stub.latencies({ 10, 20, 30, 40 }, 25, 11.5), 2)
  local found = json.read(text)
  for name, value in pairs({ format = 1, tool = "wrk2", workload = "skewed", offered = 2000, connections = 64,
    threads = 2, keys = 1000, valueBytesMin = 100, valueBytesMax = 200, ack = 2, from = 3, gets = 80, skew = 1.1,
    records = json.null, requests = 119920, bytes = 7654321, notFound = 2, seconds = 60.012345,
    achieved = 119920 / 60.012345 }) do
    same(value, found[name], name)
  end
  for name, value in pairs({ count = 4, ["50"] = 20, ["100"] = 40, min = 10, max = 40, mean = 25, stdev = 11.5 }) do
    same(value, found.latencyMicros[name], name)
  end
  same(2, found.errors.status["503"])
  same(1, found.errors.status["504"])
  same(nil, found.errors.status["404"])
end)

test("a missing key is an error only to scripts that do not read", function()
  for workload, error in pairs({ get = false, mixed = false, put = true, range = true }) do
    local found = json.read(resultOf(workload, {}, { 404 }, summary(1, 1000000, 1, 1, 0), stub.latencies({ 1 }, 1, 0)))
    same(error and 0 or 1, found.notFound, workload)
    same(error and 1 or nil, found.errors.status["404"], workload)
  end
end)

test("a run without an answer gives a result as well", function()
  local found = json.read(resultOf("get", {}, {}, summary(0, 1000000, 0, 0, 64), stub.latencies({}, 0 / 0, 0 / 0)))
  same(0, found.achieved)
  same(json.null, found.latencyMicros["99"])
  same(json.null, found.latencyMicros.mean)
  same(0, #found.spectrum)
  same(64, found.errors.connect)
end)

test("the spectrum halves what is above, to the largest latency, and is wrk2's by rank", function()
  local sorted = {}
  for i = 1, 100000 do
    sorted[i] = i
  end
  local spectrum = json.read(resultOf("get", {}, {}, summary(1, 1, 1, 0, 0), stub.latencies(sorted, 1, 1))).spectrum
  assert(#spectrum >= 30 and #spectrum <= 40, #spectrum .. " points")
  same(100, spectrum[#spectrum][1])
  same(100000, spectrum[#spectrum][2])
  for i = 2, #spectrum do
    assert(spectrum[i][1] > spectrum[i - 1][1] and spectrum[i][2] >= spectrum[i - 1][2], "in order")
  end
  for _, point in ipairs(spectrum) do
    same(math.max(1, math.ceil(point[1] * 1000)), point[2], "rank at " .. point[1])
  end
end)

test("the largest result fits a termination message", function()
  local huge, answers = 2 ^ 53 - 1, {}
  -- One latency in place of as many as possible.
  local latency = newproxy(true)
  getmetatable(latency).__len = function() return huge end
  getmetatable(latency).__index = function(_, name)
    return name == "percentile" and function() return 86400000000 end or 86399999999.987656
  end
  for status = 400, 999 do
    table.insert(answers, status)
  end
  local text = resultOf("skewed", { "9999999999", "16777215-16777216", "98", "99", "99", "1.2345678901234567" }, answers,
    { requests = huge, duration = 8640000000001, bytes = huge,
      errors = { status = huge, connect = huge, read = huge, write = huge, timeout = huge } }, latency)
  assert(#text <= 4096, #text .. " bytes")
  local errors = json.read(text).errors.status
  local sum, count = 0, 0
  for _, each in pairs(errors) do
    sum, count = sum + each, count + 1
  end
  same(599, sum, "statuses in the result")
  same(13, count, "statuses that have a name, and the others")
end)

suite.report("results")
