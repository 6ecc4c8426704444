-- What the tests of the scripts share: a script started on the stub, and a count of what passed.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local stub = dofile(folder .. "stub.lua")
local suite = { scripts = folder .. "../", passed = 0, seed = tonumber(arg[1] or "") or os.time() }

function suite.same(wanted, found, what)
  if wanted ~= found then
    error(string.format("%s: expected %s, found %s", what or "value", tostring(wanted), tostring(found)), 2)
  end
end

function suite.test(name, body)
  local ok, why = xpcall(body, debug.traceback)
  if not ok then
    io.stderr:write("FAILED (seed " .. suite.seed .. "): " .. name .. "\n" .. why .. "\n")
    os.exit(1)
  end
  suite.passed = suite.passed + 1
end

function suite.start(workload, arguments, setting, threads)
  return stub.run(suite.scripts .. workload .. ".lua", arguments, setting, threads)
end

function suite.report(what)
  print(string.format("%d tests of %s passed, seed %d", suite.passed, what, suite.seed))
end

return suite
