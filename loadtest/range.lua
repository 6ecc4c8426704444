-- GETs ranges from uniformly random keys on. Arguments: see kvorum.lua, and a fifth: the records of a range (100).
-- ack and from are ignored: a range reads every member.
local kvorum = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kvorum.lua")
kvorum.describe("range", false)

local recordsMax = 1000000

function init(arguments)
  local options = kvorum.options(arguments, 5)
  options.records = kvorum.number("records", arguments, 5, 100, 1, recordsMax)
  kvorum.begin(options)
  local range, random, last = kvorum.range(options.records), math.random, options.keys - 1
  function request()
    return range(random(0, last))
  end
end
