-- Requests to a node that the load scripts share; for wrk and wrk2. Arguments of every script, after `--`:
--   keys  value-bytes  ack  from      (1000000 100 - -; a dash selects the node's default of ack or from)
-- `value-bytes` is a number or a range, 100-1000. README.md describes further arguments and the environment (RESULT,
-- RATE, CONNECTIONS). Requests are raw text with placeholders: wrk.format for each would cost more than all the rest.
local folder = (debug.getinfo(1, "S").source:match("^@(.*/)") or "./")
local result = dofile(folder .. "result.lua")
local kvorum = {}

-- Keys are k and ten digits.
local keysMax = 9999999999
local valueBytesMax = 16 * 1024 * 1024
-- A record has no more replicas than a topology has members.
local replicasMax = 99
-- Number of prepared values, and their limit of a thread's memory.
local valuesMax = 64
local poolBytesMax = 8 * 1024 * 1024

local threads = {}

function setup(thread)
  thread:set("id", #threads)
  table.insert(threads, thread)
end

-- Ends the generator before there is any load: wrk itself would continue after an error, or crash with a signal.
function kvorum.reject(text)
  io.stderr:write("kvorum: " .. text .. "\n")
  os.exit(2)
end

local function seed()
  local urandom = assert(io.open("/dev/urandom", "rb"))
  local a, b, c, d = urandom:read(4):byte(1, 4)
  urandom:close()
  math.randomseed(((a * 256 + b) * 256 + c) * 256 + d)
end

-- An argument; nil if it is empty or left out.
local function said(arguments, place)
  local text = arguments[place]
  if text ~= "" then
    return text
  end
end

-- A whole number from `least` to `most`.
function kvorum.whole(name, text, least, most)
  local number = text:match("^%d+$") and tonumber(text)
  if not number or number < least or number > most then
    kvorum.reject(string.format("%s must be a whole number from %d to %d, not '%s'", name, least, most, text))
  end
  return number
end

local function replicas(name, arguments, place)
  local text = said(arguments, place)
  if text and text ~= "-" then
    return kvorum.whole(name, text, 1, replicasMax)
  end
end

local function sizes(text)
  local least, most = text:match("^(%d+)-(%d+)$")
  if not least then
    least, most = text, text
  end
  least = kvorum.whole("value-bytes", least, 0, valueBytesMax)
  most = kvorum.whole("value-bytes", most, 0, valueBytesMax)
  if least > most then
    kvorum.reject("value-bytes must be a number or a range MIN-MAX with MIN at most MAX, not '" .. text .. "'")
  end
  return least, most
end

-- The options from the arguments. `most` is the number of arguments that the script accepts.
function kvorum.options(arguments, most)
  seed()
  for place = most + 1, #arguments do
    if said(arguments, place) then
      kvorum.reject(string.format("there are at most %d arguments; '%s' is one more", most, arguments[place]))
    end
  end
  local least, largest = sizes(said(arguments, 2) or "100")
  local options = {
    keys = kvorum.whole("keys", said(arguments, 1) or "1000000", 1, keysMax),
    valueBytesMin = least,
    valueBytesMax = largest,
    ack = replicas("ack", arguments, 3),
    from = replicas("from", arguments, 4),
  }
  if options.ack and options.from and options.ack > options.from then
    kvorum.reject(string.format("ack %d is more than from %d", options.ack, options.from))
  end
  options.query = (options.ack and "&ack=" .. options.ack or "") .. (options.from and "&from=" .. options.from or "")
  return options
end

-- Called by each script when it is loaded: its name, and whether it reads keys that may not exist.
kvorum.describe = result.describe

-- Called at the end of a script's init, when all arguments are valid.
function kvorum.begin(options)
  result.prepare(kvorum, options)
end

-- The argument of put and get that enables counting of rejected requests.
function kvorum.countsWhenAsked(arguments)
  local text = said(arguments, 5)
  if text == "statuses" then
    kvorum.countStatuses()
  elseif text then
    kvorum.reject("the fifth argument is 'statuses' or nothing, not '" .. text .. "'")
  end
end

-- A whole number in an argument, or its default.
function kvorum.number(name, arguments, place, default, least, most)
  return kvorum.whole(name, said(arguments, place) or tostring(default), least, most)
end

-- A decimal number in an argument, or its default.
function kvorum.decimal(name, arguments, place, default, least, most)
  local text = said(arguments, place) or tostring(default)
  local number = text:match("^%d+%.?%d*$") and tonumber(text)
  if not number or number < least or number > most then
    kvorum.reject(string.format("%s must be a number from %g to %g, not '%s'", name, least, most, text))
  end
  return number
end

-- Text of a request line and headers; `path` has a placeholder for the ten digits of the key's number: k0000123456.
-- Headers of the command line (-H), as of a user, are sent with each request.
local function head(method, path, headers)
  local given = ""
  for name, value in pairs(wrk.headers) do
    if name ~= "Host" then given = given .. name .. ": " .. value:gsub("%%", "%%%%") .. "\r\n" end
  end
  return method .. " " .. path .. " HTTP/1.1\r\nHost: " .. wrk.headers["Host"] .. "\r\n" .. given .. headers .. "\r\n"
end

-- This many random letters, in chunks: a table of all of them would need sixteen times their memory.
local function letters(count)
  local some, parts = {}, {}
  for first = 1, count, 4096 do
    local length = math.min(4096, count - first + 1)
    for i = 1, length do
      some[i] = string.char(math.random(97, 122))
    end
    table.insert(parts, table.concat(some, "", 1, length))
  end
  return table.concat(parts)
end

-- Values in turn, their sizes spread evenly from the smallest to the largest. They are random letters, which compress
-- badly, and are generated only once.
local function values(options)
  local least, most = options.valueBytesMin, options.valueBytesMax
  local count = math.max(2, math.min(valuesMax, math.floor(poolBytesMax / math.max(most, 1))))
  local all = {}
  for i = 1, count do
    all[i] = letters(least + math.floor((most - least) * (i - 1) / (count - 1) + 0.5))
  end
  return all
end

-- A function from a key's number to its PUT.
function kvorum.put(options)
  local query = options.query:gsub("%%", "%%%%")
  local template = head("PUT", "/v0/entity?id=k%010d" .. query, "Content-Length: %d\r\n")
  local all = values(options)
  local format, count, turn = string.format, #all, math.random(#all) - 1
  return function(key)
    turn = turn % count + 1
    local value = all[turn]
    return format(template, key, #value) .. value
  end
end

-- A function from a key's number to its GET.
function kvorum.get(options)
  local template = head("GET", "/v0/entity?id=k%010d" .. options.query, "")
  local format = string.format
  return function(key)
    return format(template, key)
  end
end

-- A function from a key's number to the GET of so many records from it on. A range asks every member for its own
-- records: there is no ack and no from. It ends with the keys of the scripts, which may be all that a user may read.
function kvorum.range(records)
  local template = head("GET", "/v0/entities?start=k%010d&end=l&limit=" .. records, "")
  local format = string.format
  return function(key)
    return format(template, key)
  end
end

-- For a comparison the requests go to another store; peers/ has a script for each that replaces `put` and `get`.
local peer = os.getenv("KVORUM_PEER")
if peer and peer ~= "" then
  dofile(folder .. "peers/" .. peer .. ".lua")(kvorum, head, values)
end

-- Counts answers with status 400 or above by status. It makes the generator parse the headers of every answer, so it is
-- off by default. One global for each status: wrk can read only numbers from a thread.
function kvorum.countStatuses()
  local names, globals = {}, getfenv(0)
  for status = 400, 999 do
    names[status] = "status" .. status
  end
  function response(status)
    local name = names[status]
    if name then
      globals[name] = (globals[name] or 0) + 1
    end
  end
end

local function statuses()
  local counts = {}
  for status = 400, 999 do
    for _, thread in ipairs(threads) do
      local count = thread:get("status" .. status)
      if count then
        counts[status] = (counts[status] or 0) + count
      end
    end
  end
  return counts
end

-- One line for other scripts, times in microseconds, and the result if one is requested. `status` is the number
-- of answers with status 400 or above.
function done(summary, latency)
  local counts, errors = statuses(), summary.errors
  print(string.format(
    "kvorum requests=%d micros=%d p50=%d p99=%d p999=%d status=%d socket=%d timeout=%d shed=%d late=%d",
    summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
    errors.status, errors.connect + errors.read + errors.write, errors.timeout,
    (counts[429] or 0) + (counts[503] or 0), counts[504] or 0))
  result.write(summary, latency, counts, threads)
end

return kvorum
