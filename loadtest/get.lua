-- GETs uniformly random keys. Arguments: see kvorum.lua, and a fifth, `statuses`, to count rejected requests.
local kvorum = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kvorum.lua")
kvorum.describe("get", true)

function init(arguments)
  local options = kvorum.options(arguments, 5)
  kvorum.countsWhenAsked(arguments)
  kvorum.begin(options)
  local get, random, last = kvorum.get(options), math.random, options.keys - 1
  function request()
    return get(random(0, last))
  end
end
