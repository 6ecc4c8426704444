-- PUTs every key once, in order, and stops; each thread prints `filled` when it is done, since wrk, unlike wrk2,
-- sleeps until its time is over. Arguments: see kvorum.lua, and a fifth: the number of threads.
local kvorum = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kvorum.lua")
kvorum.describe("fill", false)

-- After its last key a thread repeats this many requests: requests in flight when it stops are lost, as is the first
-- one, with which wrk tests the script.
local tail = 2000

function init(arguments)
  local options = kvorum.options(arguments, 5)
  local threads = kvorum.number("threads", arguments, 5, 1, 1, 1000)
  kvorum.begin(options)
  local put, keys = kvorum.put(options), options.keys
  -- The threads interleave, so that the node sees one ascending sequence.
  local key, last = id, math.ceil(keys / threads) + tail
  local sent = 0
  function request()
    local text = put(key)
    key = key + threads
    if key >= keys then
      key = id
    end
    sent = sent + 1
    if sent == last then
      io.stderr:write("filled\n")
      wrk.thread:stop()
    end
    return text
  end
end
