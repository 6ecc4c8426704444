-- Ranks by Zipf's law: rank k has a probability proportional to k^-skew. Rejection-inversion, W. Hörmann and
-- G. Derflinger, "Rejection-inversion to generate variates from monotone discrete distributions" (ACM TOMACS 6, 1996):
-- no table, and fewer than 1.2 tries for a rank with any number of keys.
local zipf = {}

-- A function that draws a rank from 1 to `count`; `random()` is uniform in [0, 1).
function zipf.sampler(count, skew, random)
  local exp, log, floor = math.exp, math.log, math.floor
  local q = 1 - skew
  -- The integral of x^-skew and its inverse. Near skew 1, where the powers cancel out, in terms of logarithms.
  local flat = math.abs(q) < 1e-8
  local function integral(x)
    return flat and log(x) or (exp(q * log(x)) - 1) / q
  end
  local function inverse(y)
    return flat and exp(y) or exp(log(math.max(1 + q * y, 1e-300)) / q)
  end
  local function density(x)
    return exp(-skew * log(x))
  end
  -- The hat over the first rank begins where its area is that rank's weight.
  local low, high = integral(1.5) - 1, integral(count + 0.5)
  local sure = 2 - inverse(integral(2.5) - density(2))
  return function()
    while true do
      local y = high + random() * (low - high)
      local x = inverse(y)
      local rank = floor(x + 0.5)
      if rank < 1 then
        rank = 1
      elseif rank > count then
        rank = count
      end
      if rank - x <= sure or y >= integral(rank + 0.5) - density(rank) then
        return rank
      end
    end
  end
end

-- A function from ranks to keys, one to one, so that frequent ranks are not adjacent keys.
function zipf.scatter(count)
  -- Two primes: one of them does not divide the number of keys.
  local step = count % 104729 ~= 0 and 104729 or 104723
  return function(rank)
    return (rank - 1) * step % count
  end
end

return zipf
