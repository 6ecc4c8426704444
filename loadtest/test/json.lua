-- Reads JSON strictly; null is json.null.
local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local value

local function fail(text, at)
  error("no JSON at byte " .. at .. ": " .. text:sub(at, at + 20), 0)
end

local function string(text, at)
  local inner, after = text:match('^"([^"\\%c]*)"()', at)
  return inner or fail(text, at), after
end

local function members(text, at, closing, one)
  if text:sub(at, at) == closing then
    return at + 1
  end
  while true do
    at = one(at)
    local sign = text:sub(at, at)
    if sign == closing then
      return at + 1
    elseif sign ~= "," then
      fail(text, at)
    end
    at = at + 1
  end
end

local function object(text, at)
  local found = {}
  return found, members(text, at + 1, "}", function(from)
    local name, after = string(text, from)
    if text:sub(after, after) ~= ":" or found[name] ~= nil then
      fail(text, after)
    end
    found[name], after = value(text, after + 1)
    return after
  end)
end

local function array(text, at)
  local found = {}
  return found, members(text, at + 1, "]", function(from)
    local each, after = value(text, from)
    table.insert(found, each)
    return after
  end)
end

function value(text, at)
  local sign = text:sub(at, at)
  if sign == "{" then
    return object(text, at)
  elseif sign == "[" then
    return array(text, at)
  elseif sign == '"' then
    return string(text, at)
  elseif text:sub(at, at + 3) == "null" then
    return json.null, at + 4
  end
  local number, after = text:match("^(%-?%d+%.?%d*[eE]?[-+]?%d*)()", at)
  return tonumber(number or fail(text, at)) or fail(text, at), after
end

function json.read(text)
  local found, after = value(text, 1)
  if after ~= #text + 1 then
    fail(text, after)
  end
  return found
end

return json
