// Locks on Redis in Go, rebuilt from public reports (../expected.json names each). `class` of the options says which,
// `twin` whether it is the lock without the mistake.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

const (
	deleteOwn = `
    if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`
	extendOwn = `
    if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end`
)

// A value of each grant's own, compared before the key is deleted. The locks below change one thing of it.
type token struct {
	redis  *redis.Client
	hello  ask
	twin   bool
	values map[string]string
}

func (t *token) value(a ask) string { return fmt.Sprintf("%s:%d", t.hello.Owner, a.N) }

func lease(a ask) time.Duration { return time.Duration(a.LeaseMs) * time.Millisecond }

func (t *token) acquire(a ask) (string, error) {
	t.values[a.Lock] = t.value(a)
	done, err := t.redis.SetNX(ctx, a.Lock, t.values[a.Lock], lease(a)).Result()
	return said(done, "busy"), err
}

func (t *token) release(a ask) (string, error) {
	done, err := t.redis.Eval(ctx, deleteOwn, []string{a.Lock}, t.values[a.Lock]).Int()
	return said(done == 1, "not_held"), err
}

func (t *token) renew(a ask) (string, error) {
	done, err := t.redis.Eval(ctx, extendOwn, []string{a.Lock}, t.values[a.Lock], t.hello.LeaseMs).Int()
	return said(done == 1, "not_held"), err
}

// The lease is set by a second request, whose error is ignored.
type shedlockSetExpire struct{ token }

func (l *shedlockSetExpire) acquire(a ask) (string, error) {
	if l.twin {
		return l.token.acquire(a)
	}
	value := l.value(a)
	done, err := l.redis.SetNX(ctx, a.Lock, value, 0).Result()
	if err != nil || !done {
		return "busy", err
	}
	l.values[a.Lock] = value
	l.redis.PExpire(ctx, a.Lock, lease(a))
	return "ok", nil
}

// A leader's record has the name of its host, and a candidate of that name takes it for its own.
type kubeHostName struct{ token }

const takeOrExtend = `
  local holder = redis.call("get", KEYS[1])
  if holder and holder ~= ARGV[1] then return 0 end
  redis.call("set", KEYS[1], ARGV[1], "px", ARGV[2])
  return 1`

func (l *kubeHostName) acquire(a ask) (string, error) {
	name, _ := os.Hostname()
	if l.twin {
		name += ":" + l.value(a)
	}
	l.values[a.Lock] = name
	done, err := l.redis.Eval(ctx, takeOrExtend, []string{a.Lock}, name, a.LeaseMs).Int()
	return said(done == 1, "busy"), err
}

// The answer to a renewal is thrown away.
type cozyExtend struct{ token }

func (l *cozyExtend) renew(a ask) (string, error) {
	answer, err := l.token.renew(a)
	if l.twin {
		return answer, err
	}
	return "ok", nil
}

// A list has the free places, a hash who has which since when. Between the pop and the note a place is nowhere.
type semaphorePop struct{ token }

const (
	reclaim = `
    local now = redis.call("time")
    now = now[1] * 1000 + math.floor(now[2] / 1000)
    if redis.call("set", KEYS[1] .. ":exists", 1, "nx") then redis.call("rpush", KEYS[1] .. ":free", "0") end
    for _, place in ipairs(redis.call("hkeys", KEYS[1] .. ":ends")) do
      if tonumber(redis.call("hget", KEYS[1] .. ":ends", place)) <= now then
        redis.call("hdel", KEYS[1] .. ":ends", place)
        redis.call("hdel", KEYS[1] .. ":owner", place)
        redis.call("rpush", KEYS[1] .. ":free", place)
      end
    end
    if ARGV[3] == "1" then
      local place = redis.call("lpop", KEYS[1] .. ":free")
      if not place then return "" end
      redis.call("hset", KEYS[1] .. ":ends", place, now + ARGV[2])
      redis.call("hset", KEYS[1] .. ":owner", place, ARGV[1])
      return place
    end
    return ""`
	note = `
    local now = redis.call("time")
    now = now[1] * 1000 + math.floor(now[2] / 1000)
    redis.call("hset", KEYS[1] .. ":ends", ARGV[3], now + ARGV[2])
    redis.call("hset", KEYS[1] .. ":owner", ARGV[3], ARGV[1])
    return 1`
	giveBack = `
    if redis.call("hget", KEYS[1] .. ":owner", "0") ~= ARGV[1] then return 0 end
    redis.call("hdel", KEYS[1] .. ":ends", "0")
    redis.call("hdel", KEYS[1] .. ":owner", "0")
    redis.call("rpush", KEYS[1] .. ":free", "0")
    return 1`
)

func (l *semaphorePop) acquire(a ask) (string, error) {
	value, atOnce := l.value(a), "0"
	if l.twin {
		atOnce = "1"
	}
	place, err := l.redis.Eval(ctx, reclaim, []string{a.Lock}, value, a.LeaseMs, atOnce).Text()
	if err != nil {
		return "", err
	}
	if !l.twin {
		place, err = l.redis.LPop(ctx, a.Lock+":free").Result()
		if errors.Is(err, redis.Nil) {
			return "busy", nil
		}
		if err == nil {
			err = l.redis.Eval(ctx, note, []string{a.Lock}, value, a.LeaseMs, place).Err()
		}
	}
	if err == nil && place != "" {
		l.values[a.Lock] = value
	}
	return said(place != "", "busy"), err
}

func (l *semaphorePop) release(a ask) (string, error) {
	done, err := l.redis.Eval(ctx, giveBack, []string{a.Lock}, l.values[a.Lock]).Int()
	return said(done == 1, "not_held"), err
}

func made(a ask) (lock, []string) {
	base := token{hello: a, twin: a.Options.Twin, values: map[string]string{}, redis: redis.NewClient(&redis.Options{
		Addr: fmt.Sprintf("%s:%d", a.Servers[0].Host, a.Servers[0].Port), MaxRetries: -1, DialerRetries: 1, PoolSize: 2,
		DialTimeout: 2 * time.Second, ReadTimeout: -1, WriteTimeout: -1})}
	switch a.Options.Class {
	case "frontier_other_session":
		return &otherSession{hello: a, held: map[string]*pgxpool.Conn{}}, []string{}
	case "kube_own_duration":
		return &ownDuration{base}, []string{"renew"}
	case "shedlock_set_expire":
		return &shedlockSetExpire{base}, []string{}
	case "kube_host_name":
		return &kubeHostName{base}, []string{"renew"}
	case "cozy_extend":
		return &cozyExtend{base}, []string{"renew"}
	}
	return &semaphorePop{base}, []string{}
}
