-- Tests of the scripts' requests and of rejected arguments, on a stub of wrk2's API: luajit loadtest/test/requests.lua [seed].
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local suite = dofile(folder .. "suite.lua")
local zipf = dofile(suite.scripts .. "zipf.lua")
local same, test, start = suite.same, suite.test, suite.start
local workloads = { "put", "get", "mixed", "skewed", "range" }

local function request(run, thread)
  return run.environments[thread or 1].request()
end

-- Method, key's number and the rest of a request.
local function parse(text)
  local head, body = text:match("^(.-\r\n\r\n)(.*)$")
  local method, target = head:match("^(%u+) (%S+) HTTP/1.1\r\nHost: node:8080\r\n")
  local length = head:match("Content%-Length: (%d+)\r\n")
  same(tonumber(length or 0), #body, "the length of the body")
  return { method = method, target = target, key = tonumber(target:match("=k(%d%d%d%d%d%d%d%d%d%d)")), body = body }
end

test("every script asks for keys of its key space, with ack and from", function()
  for _, workload in ipairs(workloads) do
    local run, seen = start(workload, { "50", "10", "2", "3" }), {}
    for _ = 1, 5000 do
      local each = parse(request(run))
      assert(each.key >= 0 and each.key < 50, each.target)
      seen[each.key] = true
      if workload == "range" then
        assert(each.target:match("^/v0/entities%?start=k%d+&end=l&limit=100$"), each.target)
      else
        assert(each.target:match("^/v0/entity%?id=k%d+&ack=2&from=3$"), each.target)
      end
      assert(each.method == "PUT" and #each.body == 10 or each.method == "GET" and each.body == "", each.method)
    end
    for key = 0, 49 do
      assert(seen[key], workload .. " leaves out key " .. key)
    end
  end
end)

test("without arguments there are a million keys of a hundred bytes, and the node's defaults of ack and from", function()
  local each = parse(request(start("put", {})))
  same("PUT", each.method)
  same(100, #each.body)
  assert(each.target:match("^/v0/entity%?id=k%d+$"), each.target)
  each = parse(request(start("get", { "1", "", "-", "-", "" })))
  same(0, each.key)
end)

test("etcd is asked for the same keys and values, in base64", function()
  local etcd = { KVORUM_PEER = "etcd" }
  local function posted(workload, arguments)
    local text = request(start(workload, arguments, etcd))
    local head, body = text:match("^(.-\r\n\r\n)(.*)$")
    same(tostring(#body), head:match("Content%-Length: (%d+)\r\n"), "the length of the body")
    return head:match("^POST (%S+) HTTP/1.1\r\nHost: node:8080\r\n"), body
  end
  local path, body = posted("get", { "1" })
  same("/v3/kv/range", path)
  same('{"key":"a2swMDAwMDAwMDAw"}', body, "kk0000000000")
  for bytes, length in pairs({ ["0"] = 0, ["1"] = 4, ["2"] = 4, ["3"] = 4, ["100"] = 136 }) do
    path, body = posted("put", { "1", bytes })
    same("/v3/kv/put", path)
    local value = body:match('^{"key":"a2swMDAwMDAwMDAw","value":"([%w+/]*=*)"}$')
    same(length, #value, "the base64 of " .. bytes .. " bytes")
    same(-bytes % 3, #value:match("=*$"), "its padding")
  end
  local rejected = start("put", { "10", "10", "2", "3" }, etcd)
  same(2, rejected.code)
end)

test("headers of the command line come with each request", function()
  for _, workload in ipairs(workloads) do
    local text = request(start(workload, {}, { AUTHORIZATION = "Bearer 50%d" }))
    assert(text:find("\r\nAuthorization: Bearer 50%d\r\n", 1, true), text)
    parse(text)
  end
end)

test("sizes of values spread evenly over their range", function()
  local run, sum, least, most = start("put", { "10", "100-1000" }), 0, math.huge, 0
  for _ = 1, 6400 do
    local size = #parse(request(run)).body
    sum, least, most = sum + size, math.min(least, size), math.max(most, size)
  end
  same(100, least)
  same(1000, most)
  assert(math.abs(sum / 6400 - 550) < 1, "the mean is " .. sum / 6400)
  same(0, #parse(request(start("put", { "10", "0" }))).body)
  same(16777216, #parse(request(start("put", { "10", "16777216" }))).body)
end)

test("the largest key space has keys of ten digits", function()
  for _, workload in ipairs(workloads) do
    local run = start(workload, { "9999999999" })
    for _ = 1, 1000 do
      local each = parse(request(run))
      assert(each.key and each.key <= 9999999998, each.target)
    end
  end
end)

test("mixed and skewed have the requested share of GETs", function()
  for _, workload in ipairs({ "mixed", "skewed" }) do
    for _, share in ipairs({ 0, 20, 100 }) do
      local run, gets = start(workload, { "1000", "10", "-", "-", tostring(share) }), 0
      for _ = 1, 20000 do
        gets = gets + (parse(request(run)).method == "GET" and 1 or 0)
      end
      assert(math.abs(gets / 20000 - share / 100) < 0.02, workload .. " has " .. gets .. " GETs for " .. share)
    end
  end
end)

test("a range has as many records as requested", function()
  assert(request(start("range", { "10", "1", "-", "-", "7" })):match("&limit=7 "))
end)

test("fill puts every key once, over all threads, and reports when it is done", function()
  local run, seen = start("fill", { "1000", "10", "-", "-", "3" }, {}, 3), {}
  for thread = 1, 3 do
    for _ = 1, 334 do
      local key = parse(request(run, thread)).key
      seen[key] = (seen[key] or 0) + 1
    end
    for _ = 1, 2000 do
      request(run, thread)
    end
  end
  for key = 0, 999 do
    assert(seen[key] == 1 or key < 3 and seen[key] == 2, "key " .. key .. " was put " .. tostring(seen[key]) .. " times")
  end
  same(true, run.outputs.stopped)
  same("filled\n", run.outputs.errors[1])
end)

test("invalid arguments are reported in one line, before any load", function()
  local wrong = {
    { "put", { "0" }, "keys must be a whole number from 1 to 9999999999, not '0'" },
    { "get", { "1e3" }, "keys must be" },
    { "get", { "10000000000" }, "keys must be" },
    { "put", { "10", "x" }, "value%-bytes must be" },
    { "put", { "10", "20-10" }, "value%-bytes must be a number or a range MIN%-MAX" },
    { "put", { "10", "1-16777217" }, "value%-bytes must be" },
    { "put", { "10", "-1" }, "value%-bytes must be" },
    { "mixed", { "10", "10", "0" }, "ack must be a whole number from 1 to 99, not '0'" },
    { "mixed", { "10", "10", "2", "one" }, "from must be" },
    { "range", { "10", "10", "3", "2" }, "ack 3 is more than from 2" },
    { "put", { "10", "10", "-", "-", "status" }, "the fifth argument is 'statuses' or nothing, not 'status'" },
    { "put", { "10", "10", "-", "-", "", "more" }, "there are at most 5 arguments; 'more' is one more" },
    { "mixed", { "10", "10", "-", "-", "101" }, "gets must be a whole number from 0 to 100, not '101'" },
    { "skewed", { "10", "10", "-", "-", "50", "nan" }, "skew must be a number from 0.1 to 5, not 'nan'" },
    { "range", { "10", "10", "-", "-", "0" }, "records must be" },
    { "fill", { "10", "10", "-", "-", "0" }, "threads must be" },
  }
  for _, each in ipairs(wrong) do
    local run = start(each[1], each[2])
    same(2, run.code, each[3])
    assert(run.rejected:match("^kvorum: " .. each[3] .. "[^\n]*\n$"), run.rejected)
  end
  local file = os.tmpname()
  for missing, setting in pairs({
    ["RESULT is set, but not RATE"] = { RESULT = file, CONNECTIONS = "1" },
    ["RESULT is set, but not CONNECTIONS"] = { RESULT = file, RATE = "1" },
    ["RATE must be"] = { RESULT = file, RATE = "2k", CONNECTIONS = "1" },
    ["no result can be written"] = { RESULT = file .. "/x", RATE = "1", CONNECTIONS = "1" },
  }) do
    local run = start("put", {}, setting)
    same(2, run.code, missing)
    assert(run.rejected:match("^kvorum: " .. missing .. "[^\n]*\n$"), run.rejected)
  end
  os.remove(file)
end)

test("ranks follow Zipf's law", function()
  math.randomseed(suite.seed)
  local draws = 400000
  for _, skew in ipairs({ 0.5, 0.99, 1, 1.5, 3 }) do
    local keys, weights, sum = 1000, {}, 0
    for rank = 1, keys do
      weights[rank] = rank ^ -skew
      sum = sum + weights[rank]
    end
    local rank, counts = zipf.sampler(keys, skew, math.random), {}
    for _ = 1, draws do
      local each = rank()
      assert(each >= 1 and each <= keys and each == math.floor(each), "rank " .. each)
      counts[each] = (counts[each] or 0) + 1
    end
    -- Chi-squared over groups of ranks that are expected often enough; its mean is the degrees of freedom.
    local chi, groups, expected, found = 0, 0, 0, 0
    for each = 1, keys do
      expected, found = expected + draws * weights[each] / sum, found + (counts[each] or 0)
      if expected >= 100 then
        chi, groups = chi + (found - expected) ^ 2 / expected, groups + 1
        expected, found = 0, 0
      end
    end
    local free = groups - 1
    assert(groups > 5 and chi < free + 6 * math.sqrt(2 * free), "skew " .. skew .. ": chi squared is " .. chi .. " of " .. free)
  end
end)

test("hot ranks are spread over the keys, each to one", function()
  for _, keys in ipairs({ 1, 2, 1000, 104729, 2 * 104729 }) do
    local key, seen = zipf.scatter(keys), {}
    for rank = 1, keys do
      local each = key(rank)
      assert(each >= 0 and each < keys and not seen[each], "key " .. each)
      seen[each] = true
    end
  end
  local key = zipf.scatter(9999999999)
  assert(key(9999999999) < 9999999999 and key(9999999999) == math.floor(key(9999999999)))
  assert(math.abs(key(1) - key(2)) > 1000)
end)

suite.report("requests")
