-- PUTs uniformly random keys. Arguments: see kvorum.lua, and a fifth, `statuses`, to count rejected requests.
local kvorum = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kvorum.lua")
kvorum.describe("put", false)

function init(arguments)
  local options = kvorum.options(arguments, 5)
  kvorum.countsWhenAsked(arguments)
  kvorum.begin(options)
  local put, random, last = kvorum.put(options), math.random, options.keys - 1
  function request()
    return put(random(0, last))
  end
end
