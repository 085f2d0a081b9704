// Two locks on Redis, tried by holdfast beside other tests: one is sound, and one releases a lock that it lost.
//
//	../../go/make.sh holdfast && go test -count=1 -timeout 30m
package locks

import (
	"context"
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"holdfast/holdfasttest"
)

const deleteOwn = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"

type tokenLock struct {
	redis *redis.Client
	owner string
}

func connect(hello holdfasttest.Ask) tokenLock {
	// go-redis repeats a request whose reply was lost: the second release would find nothing, and answer "not held".
	return tokenLock{redis.NewClient(&redis.Options{Addr: hello.Address(0), MaxRetries: -1}), hello.Owner}
}

func newTokenLock(hello holdfasttest.Ask) (holdfasttest.Lock, error) { return connect(hello), nil }

func (l tokenLock) Acquire(ask holdfasttest.Ask) (any, error) {
	token := fmt.Sprintf("%s:%d", l.owner, ask.N)
	granted, err := l.redis.SetNX(context.Background(), ask.Lock, token, ask.Lease()).Result()
	if err == nil && !granted {
		err = holdfasttest.ErrRefused
	}
	return token, err
}

func (l tokenLock) Release(ask holdfasttest.Ask, token any) error {
	deleted, err := l.redis.Eval(context.Background(), deleteOwn, []string{ask.Lock}, token).Int()
	if err == nil && deleted == 0 {
		err = holdfasttest.ErrRefused
	}
	return err
}

// The key may expire, and be another's, between GET and DEL.
type getThenDelLock struct{ tokenLock }

func newGetThenDelLock(hello holdfasttest.Ask) (holdfasttest.Lock, error) {
	return getThenDelLock{connect(hello)}, nil
}

func (l getThenDelLock) Release(ask holdfasttest.Ask, token any) error {
	owner, err := l.redis.Get(context.Background(), ask.Lock).Result()
	if err == redis.Nil || (err == nil && owner != token) {
		return holdfasttest.ErrRefused
	} else if err != nil {
		return err
	}
	return l.redis.Del(context.Background(), ask.Lock).Err()
}

func TestMain(m *testing.M) {
	holdfasttest.Main(m, holdfasttest.Locks{"token_lock": newTokenLock, "get_then_del_lock": newGetThenDelLock})
}

func TestTokenLock(t *testing.T) {
	holdfasttest.Try(t, "token_lock", holdfasttest.Servers("redis")).Expect(holdfasttest.AsSafeAsALease)
}

// Fails: holdfast shows the order of requests that frees another client's lock.
func TestGetThenDelLock(t *testing.T) {
	holdfasttest.Try(t, "get_then_del_lock", holdfasttest.Servers("redis")).Expect(holdfasttest.AsSafeAsALease)
}
