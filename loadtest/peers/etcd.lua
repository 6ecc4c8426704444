-- The same keys and values for etcd: POSTs to its JSON gateway, whose keys and values are base64. With KVORUM_PEER=etcd
-- every script sends these, except `range`. A GET is linearizable, etcd's default.
return function(kvorum, head, values)
  local format, floor = string.format, math.floor
  local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  local function letter(number)
    return alphabet:sub(number + 1, number + 1)
  end

  local function base64(text)
    local missing = -#text % 3
    local encoded = (text .. ("\0"):rep(missing)):gsub("...", function(three)
      local a, b, c = three:byte(1, 3)
      return letter(floor(a / 4)) .. letter(a % 4 * 16 + floor(b / 16)) .. letter(b % 16 * 4 + floor(c / 64)) .. letter(c % 64)
    end)
    return encoded:sub(1, #encoded - missing) .. ("="):rep(missing)
  end

  -- Keys of twelve bytes, `kk` and ten digits, are four groups of three bytes, each encoded by itself.
  local first, groups = {}, {}
  for number = 0, 9 do first[number] = base64("kk" .. number) end
  for number = 0, 999 do groups[number] = base64(format("%03d", number)) end

  local function encoded(key)
    return first[floor(key / 1e9)] .. groups[floor(key / 1e6) % 1000] .. groups[floor(key / 1e3) % 1000] .. groups[key % 1000]
  end

  local function request(path, options)
    if options.query ~= "" then
      kvorum.reject("etcd has no ack or from: leave them out or give dashes")
    end
    local template = head("POST", path, "Content-Length: %d\r\n") .. "%s"
    return function(body) return format(template, #body, body) end
  end

  function kvorum.put(options)
    local post, all, turn = request("/v3/kv/put", options), values(options), 0
    for i, value in ipairs(all) do all[i] = base64(value) end
    return function(key)
      turn = turn % #all + 1
      return post('{"key":"' .. encoded(key) .. '","value":"' .. all[turn] .. '"}')
    end
  end

  function kvorum.get(options)
    local post = request("/v3/kv/range", options)
    return function(key)
      return post('{"key":"' .. encoded(key) .. '"}')
    end
  end
end
