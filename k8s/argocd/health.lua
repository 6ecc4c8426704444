-- How well the objects of Kvorum are, for Argo CD: resource.customizations.health of each kind that has a case below.
local status = obj.status or {}
local metadata = obj.metadata or {}

local function condition(type)
  for _, each in ipairs(status.conditions or {}) do
    if each.type == type then
      return each
    end
  end
  return nil
end

local function is(type)
  local found = condition(type)
  return found ~= nil and found.status == "True"
end

local function health(state, found, otherwise)
  local message = otherwise or ""
  if found ~= nil then
    message = (found.reason or "") .. ": " .. (found.message or "")
  end
  return { status = state, message = message }
end

-- The spec that was changed is not the one that the status is about.
local function is_outdated()
  local seen = status.observedGeneration
  return seen ~= nil and metadata.generation ~= nil and seen < metadata.generation
end

local kinds = {}

function kinds.KvorumCluster()
  local ready = condition("Ready")
  if status.phase == "Paused" then
    return health("Suspended", ready, "The operator does nothing for it")
  elseif ready == nil then
    return health("Progressing", nil, "The operator has not looked at it yet")
  elseif is("Progressing") then
    -- Also while a member restarts, and is down for a moment.
    return health("Progressing", condition("Progressing"))
  elseif is("Degraded") then
    return health("Degraded", condition("Degraded"))
  elseif ready.status == "True" then
    return health("Healthy", ready)
  end
  return health("Degraded", ready)
end

-- What ends once.
local function run()
  if is("Complete") or status.phase == "Complete" then
    return health("Healthy", condition("Complete"))
  elseif is("Failed") or status.phase == "Failed" then
    return health("Degraded", condition("Failed") or condition("Complete"))
  end
  return health("Progressing", condition("Complete"), "It has not begun")
end

kinds.KvorumBackup = run
kinds.KvorumLoadTest = run
kinds.KvorumTask = run

function kinds.KvorumBackupSchedule()
  local ready = condition("Ready")
  if ready == nil then
    return health("Progressing", nil, "The operator has not looked at it yet")
  elseif ready.status ~= "True" then
    return health("Degraded", ready)
  end
  for _, each in ipairs({ "BackedUp", "Verified", "Pruned" }) do
    local found = condition(each)
    -- The first backup is still to come, or the user of a verification.
    if found ~= nil and found.status ~= "True" and found.reason ~= "NoBackupYet" and found.reason ~= "UserNotReady" then
      return health("Degraded", found)
    end
  end
  if ready.reason == "Suspended" then
    return health("Suspended", ready)
  end
  return health("Healthy", ready)
end

function kinds.KvorumUser()
  local ready = condition("Ready")
  if ready == nil or ready.reason == "NotYetInEffect" then
    return health("Progressing", ready, "The operator has not looked at it yet")
  elseif ready.status == "True" then
    return health("Healthy", ready)
  end
  return health("Degraded", ready)
end

if metadata.deletionTimestamp ~= nil then
  return health("Progressing", nil, "It is being deleted")
elseif is_outdated() then
  return health("Progressing", nil, "The operator has not looked at the last change yet")
end
return kinds[obj.kind]()
