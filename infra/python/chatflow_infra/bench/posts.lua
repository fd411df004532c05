-- wrk's requests: texts of 1,000 users in 20 rooms; at the end how many were not answered 201.
local threads = {}
local sent = 0
wrong = 0

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function request()
  sent = sent + 1
  local user = (sent * 2 + number) % 1000 + 1
  local body = string.format(
    '{"userId":"%d","username":"user%d","message":"text %d","timestamp":"2026-11-25T00:00:00Z","messageType":"TEXT"}',
    user, user, sent)
  local path = string.format("/api/rooms/%d/messages", user % 20 + 1)
  return wrk.format("POST", path, {["Content-Type"] = "application/json"}, body)
end

function response(status)
  if status ~= 201 then wrong = wrong + 1 end
end

function done()
  local all = 0
  for _, thread in ipairs(threads) do all = all + thread:get("wrong") end
  print("not 201: " .. all)
end
