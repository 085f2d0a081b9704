package main

import "fmt"

// A leader's record says who leads, since when it was renewed, and for how long that lasts. A candidate counts its own
// lease's length from the renewal, and not the length in the record. The twin counts the length in the record.
type ownDuration struct{ token }

const (
	now = `
    local time = redis.call("time")
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local leader = redis.call("hget", KEYS[1], "leader")
    local renewed = tonumber(redis.call("hget", KEYS[1], "renewed") or "0")
    local length = tonumber(redis.call("hget", KEYS[1], "length") or "0")`
	stand = now + `
    if ARGV[3] == "own" then length = tonumber(ARGV[2]) end
    if leader and now < renewed + length then return 0 end
    redis.call("hset", KEYS[1], "leader", ARGV[1], "renewed", now, "length", ARGV[2])
    return 1`
	renewOwn = now + `
    if leader ~= ARGV[1] or now >= renewed + length then return 0 end
    redis.call("hset", KEYS[1], "renewed", now)
    return 1`
	resign = now + `
    if leader ~= ARGV[1] then return 0 end
    return redis.call("del", KEYS[1])`
)

func (l *ownDuration) ask(script string, a ask, values ...any) (bool, error) {
	done, err := l.redis.Eval(ctx, script, []string{a.Lock}, values...).Int()
	return done == 1, err
}

func (l *ownDuration) acquire(a ask) (string, error) {
	value, counts := fmt.Sprintf("%s:%d", l.hello.Owner, a.N), "own"
	if l.hello.Options.Twin {
		counts = "recorded"
	}
	done, err := l.ask(stand, a, value, a.LeaseMs, counts)
	if done {
		l.values[a.Lock] = value
	}
	return said(done, "busy"), err
}

func (l *ownDuration) renew(a ask) (string, error) {
	done, err := l.ask(renewOwn, a, l.values[a.Lock])
	return said(done, "not_held"), err
}

func (l *ownDuration) release(a ask) (string, error) {
	value := l.values[a.Lock]
	delete(l.values, a.Lock)
	done, err := l.ask(resign, a, value)
	return said(done, "not_held"), err
}
