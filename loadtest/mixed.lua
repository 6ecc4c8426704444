-- GETs and PUTs of uniformly random keys. Arguments: see kvorum.lua, and a fifth: the percentage of GETs (50).
local kvorum = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "kvorum.lua")
kvorum.describe("mixed", true)

function init(arguments)
  local options = kvorum.options(arguments, 5)
  options.gets = kvorum.number("gets", arguments, 5, 50, 0, 100)
  kvorum.begin(options)
  local put, get, random, last = kvorum.put(options), kvorum.get(options), math.random, options.keys - 1
  local gets = options.gets
  function request()
    local key = random(0, last)
    if random(100) <= gets then
      return get(key)
    end
    return put(key)
  end
end
