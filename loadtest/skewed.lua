-- GETs and PUTs of keys with a Zipf distribution. Arguments: see kvorum.lua, a fifth: the percentage of GETs (90), and a
-- sixth: the exponent (0.99); a larger one concentrates requests on fewer keys.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local kvorum = dofile(folder .. "kvorum.lua")
local zipf = dofile(folder .. "zipf.lua")
kvorum.describe("skewed", true)

function init(arguments)
  local options = kvorum.options(arguments, 6)
  options.gets = kvorum.number("gets", arguments, 5, 90, 0, 100)
  options.skew = kvorum.decimal("skew", arguments, 6, 0.99, 0.1, 5)
  kvorum.begin(options)
  local put, get, random, gets = kvorum.put(options), kvorum.get(options), math.random, options.gets
  local rank, key = zipf.sampler(options.keys, options.skew, random), zipf.scatter(options.keys)
  function request()
    if random(100) <= gets then
      return get(key(rank()))
    end
    return put(key(rank()))
  end
end
