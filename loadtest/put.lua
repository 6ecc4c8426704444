-- PUTs uniformly random keys. Arguments: see kvorum.lua, and a fifth, `statuses`, to count refusals.
local kvorum = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kvorum.lua")

function init(arguments)
  local options = kvorum.options(arguments)
  local put, random, last = kvorum.put(options), math.random, options.keys - 1
  if arguments[5] == "statuses" then
    kvorum.countStatuses()
  end
  function request()
    return put(random(0, last))
  end
end
