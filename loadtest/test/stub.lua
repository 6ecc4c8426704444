-- wrk2's API for the scripts, in one process: each script has an environment of its own for every thread and one
-- for done(), as wrk2 gives it. Tests set the times.
local stub = {}

-- What a script that ends the generator throws instead.
local Ended = {}

local function environment(path, setting)
  local output = { lines = {}, errors = {}, files = {} }
  local env = setmetatable({}, { __index = _G })
  env._G = env
  local headers = { Host = "node:8080", Authorization = setting.AUTHORIZATION }
  env.wrk = { headers = headers, thread = { stop = function() output.stopped = true end } }
  env.print = function(line) table.insert(output.lines, line) end
  env.os = setmetatable({
    exit = function(code) error(setmetatable({ code = code }, Ended)) end,
    getenv = function(name) return setting[name] end,
  }, { __index = os })
  env.io = setmetatable({
    stderr = { write = function(_, text) table.insert(output.errors, text) end },
  }, { __index = io })
  env.getfenv = function() return env end
  env.dofile = function(name)
    return setfenv(assert(loadfile(name)), env)()
  end
  env.dofile(path)
  return env, output
end

local function thread(env)
  return {
    set = function(_, name, value) env[name] = value end,
    get = function(_, name) return rawget(env, name) end,
  }
end

-- Loads a script and starts so many threads with its arguments. Returns `requests`, a function for each
-- thread; `done`; and, where the script ended the generator, `code` and `rejected`.
function stub.run(path, arguments, setting, threads)
  local run = { environments = {} }
  local main, output = environment(path, setting or {})
  run.output = output
  for i = 1, threads or 1 do
    local env, errors = environment(path, setting or {})
    main.setup(thread(env))
    arguments[0] = "http://node:8080"
    local ok, ended = pcall(env.init, arguments)
    if not ok then
      if getmetatable(ended) ~= Ended then
        error(ended, 0)
      end
      run.code, run.rejected = ended.code, table.concat(errors.errors)
      return run
    end
    run.environments[i] = env
    run.outputs = errors
  end
  function run.done(summary, latency)
    return main.done(summary, latency)
  end
  return run
end

-- Latencies as wrk2 hands them to done(): by name, by rank and by percentile. `sorted` are microseconds.
function stub.latencies(sorted, mean, stdev)
  local count = #sorted
  local methods = {
    min = sorted[1], max = sorted[count], mean = mean, stdev = stdev,
    percentile = function(_, percentile)
      return sorted[math.max(1, math.floor(percentile / 100 * count + 0.5))] or 0
    end,
  }
  local object = newproxy(true)
  getmetatable(object).__index = function(_, name) return type(name) == "number" and sorted[name] or methods[name] end
  getmetatable(object).__len = function() return count end
  return object
end

return stub
