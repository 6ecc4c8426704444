-- GETs uniformly random keys. Arguments: see kvorum.lua, and a fifth, `statuses`, to count refusals.
local kvorum = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kvorum.lua")

function init(arguments)
  local options = kvorum.options(arguments)
  local get, random, last = kvorum.get(options), math.random, options.keys - 1
  if arguments[5] == "statuses" then
    kvorum.countStatuses()
  end
  function request()
    return get(random(0, last))
  end
end
