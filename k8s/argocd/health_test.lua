-- Tests of health.lua over statuses as the operator writes them: luajit k8s/argocd/health_test.lua
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"

local function condition(type, status, reason, message)
  return { type = type, status = status, reason = reason, message = message or "why" }
end

-- Argo CD gives a script little more than the object.
local function assess(object)
  local script = assert(loadfile(folder .. "health.lua"))
  return setfenv(script, { obj = object, ipairs = ipairs })()
end

local function object(kind, status, metadata)
  return { apiVersion = "kvorum.dev/v1alpha1", kind = kind, metadata = metadata or { name = "kvorum", generation = 2 }, status = status }
end

local function cluster(phase, ready, progressing, degraded, reason)
  return object("KvorumCluster", { observedGeneration = 2, phase = phase, conditions = {
    condition("Ready", ready, reason, "of Ready"), condition("Progressing", progressing, reason, "of Progressing"),
    condition("Degraded", degraded, reason, "of Degraded") } })
end

local function run(kind, phase, complete, failed, reason)
  return object(kind, { phase = phase, conditions = {
    condition("Complete", complete, reason), condition("Failed", failed, reason) } })
end

local function schedule(ready, reason, others)
  local conditions = { condition("Ready", ready, reason) }
  for _, each in ipairs(others) do
    conditions[#conditions + 1] = each
  end
  return object("KvorumBackupSchedule", { observedGeneration = 2, conditions = conditions })
end

local function user(status, reason)
  return object("KvorumUser", { observedGeneration = 2, conditions = { condition("Ready", status, reason) } })
end

local backedUp = condition("BackedUp", "True", "Complete")
local verified = condition("Verified", "True", "Verified")
local cases = {
  { "a cluster that was just created", object("KvorumCluster", nil), "Progressing" },
  { "a cluster that is created", cluster("Creating", "False", "True", "False", "WaitingForPods"), "Progressing", "of Progressing" },
  { "a cluster that is ready", cluster("Ready", "True", "False", "False", "AsAskedFor"), "Healthy", "of Ready" },
  { "a cluster that is updated", cluster("Updating", "False", "True", "True", "MemberDown"), "Progressing", "of Progressing" },
  { "a cluster with a member down", cluster("Degraded", "False", "False", "True", "MemberDown"), "Degraded", "of Degraded" },
  { "a cluster whose members share a machine", cluster("Ready", "True", "False", "True", "MembersShareMachine"), "Degraded", "of Degraded" },
  { "a cluster whose spec is rejected", cluster("Rejected", "False", "False", "False", "TooFewMembers"), "Degraded", "of Ready" },
  { "a cluster whose update has stalled", cluster("Updating", "False", "False", "True", "UpdateStalled"), "Degraded", "of Degraded" },
  { "a cluster whose update was rolled back", cluster("Rejected", "False", "False", "False", "RolledBack"), "Degraded", "of Ready" },
  { "a paused cluster", cluster("Paused", "False", "False", "False", "Paused"), "Suspended", "of Ready" },
  { "a cluster whose spec has just been changed", object("KvorumCluster", { observedGeneration = 1, phase = "Ready",
    conditions = { condition("Ready", "True", "AsAskedFor") } }), "Progressing", "last change" },
  { "a cluster that is deleted", object("KvorumCluster", { phase = "Ready", conditions = {} },
    { generation = 2, deletionTimestamp = "2026-11-29T00:00:00Z" }), "Progressing", "deleted" },
  { "a schedule that was just created", object("KvorumBackupSchedule", nil), "Progressing" },
  { "a schedule before its first backup", schedule("True", "Scheduled", { condition("BackedUp", "False", "NoBackupYet") }), "Healthy" },
  { "a schedule with backups", schedule("True", "Scheduled", { backedUp, condition("Pruned", "True", "Pruned"), verified }), "Healthy" },
  { "an overdue schedule", schedule("True", "Scheduled", { condition("BackedUp", "False", "Overdue") }), "Degraded", "Overdue" },
  { "a schedule with a damaged backup", schedule("True", "Scheduled", { backedUp, condition("Verified", "False", "VerificationFailed") }),
    "Degraded", "VerificationFailed" },
  { "a schedule whose drill waits for its user", schedule("True", "Scheduled", { backedUp, condition("Verified", "False", "UserNotReady") }),
    "Healthy" },
  { "a schedule that cannot delete", schedule("True", "Scheduled", { backedUp, condition("Pruned", "False", "PruneFailed") }), "Degraded" },
  { "an invalid schedule", schedule("False", "InvalidSchedule", { condition("BackedUp", "False", "Overdue") }), "Degraded", "InvalidSchedule" },
  { "a suspended schedule", schedule("True", "Suspended", { backedUp }), "Suspended" },
  { "a user that was just created", object("KvorumUser", nil), "Progressing" },
  { "a user that nodes do not know yet", user("False", "NotYetInEffect"), "Progressing", "NotYetInEffect" },
  { "a user in effect", user("True", "InEffect"), "Healthy" },
  { "a user without its Secret", user("False", "SecretMissing"), "Degraded", "SecretMissing" },
}
for _, kind in ipairs({ "KvorumBackup", "KvorumLoadTest", "KvorumTask" }) do
  cases[#cases + 1] = { "a new " .. kind, object(kind, nil), "Progressing" }
  cases[#cases + 1] = { "a waiting " .. kind, run(kind, "Waiting", "False", "False", "ClusterNotReady"), "Progressing", "ClusterNotReady" }
  cases[#cases + 1] = { "a running " .. kind, run(kind, "Running", "False", "False", "Started"), "Progressing" }
  cases[#cases + 1] = { "a complete " .. kind, run(kind, "Complete", "True", "False", "Complete"), "Healthy" }
  cases[#cases + 1] = { "a failed " .. kind, run(kind, "Failed", "False", "True", "JobFailed"), "Degraded", "JobFailed" }
end

local wrong = 0
for _, case in ipairs(cases) do
  local name, given, status, message = case[1], case[2], case[3], case[4]
  local health = assess(given)
  if health.status ~= status or type(health.message) ~= "string" or not health.message:find(message or "", 1, true) then
    io.stderr:write(("%s is %s (%s), not %s (%s)\n"):format(name, health.status, health.message, status, message or ""))
    wrong = wrong + 1
  end
end

-- The command in the documentation sets the script for the same kinds.
local function read(path)
  local file = assert(io.open(folder .. path))
  local text = file:read("*a")
  file:close()
  return text
end
local documented = assert(read("../../docs/kubernetes.md"):match("rawfile lua(.-)\n```"), "no command with --rawfile lua")
for kind in read("health.lua"):gmatch("kinds%.(Kvorum%w+)") do
  if not documented:find('"' .. kind .. '"', 1, true) then
    io.stderr:write(kind .. " is not in the command of docs/kubernetes.md\n")
    wrong = wrong + 1
  end
end
assert(wrong == 0, wrong .. " are wrong")
print(#cases .. " statuses have the health that Argo CD is to show")
