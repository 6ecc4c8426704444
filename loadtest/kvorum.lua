-- How the load scripts speak to a node; for wrk and wrk2. Arguments of every script, after `--`:
--   keys  value-bytes  ack  from      (1000000 100 - -; a dash leaves ack or from to the node)
-- Requests are raw text with a place for the key: wrk.format for each of them would cost more than the rest.
local kvorum = {}

local threads = {}

function setup(thread)
  thread:set("id", #threads)
  table.insert(threads, thread)
end

local function seed()
  local urandom = assert(io.open("/dev/urandom", "rb"))
  local a, b, c, d = urandom:read(4):byte(1, 4)
  urandom:close()
  math.randomseed(((a * 256 + b) * 256 + c) * 256 + d)
end

function kvorum.options(arguments)
  seed()
  local query = ""
  if arguments[3] and arguments[3] ~= "-" then
    query = query .. "&ack=" .. arguments[3]
  end
  if arguments[4] and arguments[4] ~= "-" then
    query = query .. "&from=" .. arguments[4]
  end
  return {
    keys = tonumber(arguments[1] or 1000000),
    valueBytes = tonumber(arguments[2] or 100),
    query = query,
  }
end

-- Text of a request line and headers, the key to be put in as a number of ten digits: k0000123456.
local function head(method, options, headers)
  local query = options.query:gsub("%%", "%%%%")
  return method .. " /v0/entity?id=k%010d" .. query .. " HTTP/1.1\r\nHost: " .. wrk.headers["Host"] .. "\r\n" .. headers .. "\r\n"
end

-- A function from a key's number to its PUT. Values are random letters, a handful of them over and over: they
-- are not worth compressing and cost nothing to make.
function kvorum.put(options)
  local template = head("PUT", options, "Content-Length: " .. options.valueBytes .. "\r\n")
  local values = {}
  for i = 1, 16 do
    local letters = {}
    for j = 1, options.valueBytes do
      letters[j] = string.char(math.random(97, 122))
    end
    values[i] = table.concat(letters)
  end
  local format = string.format
  return function(key)
    return format(template, key) .. values[key % 16 + 1]
  end
end

function kvorum.get(options)
  local template = head("GET", options, "")
  local format = string.format
  return function(key)
    return format(template, key)
  end
end

-- Counts answers that say "overloaded" or "indeterminate". It makes the generator parse every answer, so that
-- only runs that ask for it (fifth argument `statuses`) have it.
function kvorum.countStatuses()
  shed, late = 0, 0
  function response(status)
    if status == 503 or status == 429 then
      shed = shed + 1
    elseif status == 504 then
      late = late + 1
    end
  end
end

-- One line for scripts to read, times in microseconds. `status` is the number of answers from 400 on.
function done(summary, latency)
  local shedTotal, lateTotal = 0, 0
  for _, thread in ipairs(threads) do
    shedTotal = shedTotal + (thread:get("shed") or 0)
    lateTotal = lateTotal + (thread:get("late") or 0)
  end
  local errors = summary.errors
  print(string.format(
    "kvorum requests=%d micros=%d p50=%d p99=%d p999=%d status=%d socket=%d timeout=%d shed=%d late=%d",
    summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
    errors.status, errors.connect + errors.read + errors.write, errors.timeout, shedTotal, lateTotal))
end

return kvorum
