// redsync's Mutex with go-redis, each as its README makes it. With the option `bounded`, as in lock_bounded.json: no
// request is sent again, and none waits for longer than redsync's own time-out. With `set_nx_on_extend`, as in
// lock_set_nx.json, a renewal takes a key that is gone anew.
package main

import (
	"errors"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	goredislib "github.com/redis/go-redis/v9"
)

var (
	locks *redsync.Redsync
	more  []redsync.Option
)

func hello(a ask) error {
	var pools []redis.Pool
	for server := range a.Servers {
		options := &goredislib.Options{Addr: a.address(server)}
		if a.option("bounded") { // the context is redsync's, of 5 % of the lease
			options.MaxRetries, options.DialerRetries, options.ContextTimeoutEnabled = -1, 1, true
			options.DialTimeout = time.Second
		}
		pools = append(pools, goredis.NewPool(goredislib.NewClient(options)))
	}
	if a.option("set_nx_on_extend") {
		more = append(more, redsync.WithSetNXOnExtend())
	}
	locks = redsync.New(pools...)
	return nil
}

// `Until` is earlier than what the servers store, by redsync's drift factor.
func promised(a ask) object { return object{"lease_ms": a.LeaseMs * 99 / 100} }

func acquire(a ask) (*redsync.Mutex, object, error) {
	mutex := locks.NewMutex(a.Lock, append([]redsync.Option{redsync.WithExpiry(a.lease())}, more...)...)
	if a.once() {
		return mutex, promised(a), mutex.TryLockContext(a.ctx)
	}
	return mutex, promised(a), mutex.LockContext(a.ctx)
}

// False without an error is a refusal too, of one of several servers.
func done(ok bool, err error) error {
	if !ok && err == nil {
		return redsync.ErrFailed
	} else if ok {
		return nil
	}
	return err
}

func refused(err error) bool {
	var taken *redsync.ErrTaken
	return errors.As(err, &taken) || errors.Is(err, redsync.ErrFailed) || errors.Is(err, redsync.ErrLockAlreadyExpired)
}

func main() {
	serve(&adapter[*redsync.Mutex]{
		module:  "github.com/go-redsync/redsync/v4",
		can:     []string{"block", "cancel", "threads", "wait"},
		hello:   hello,
		acquire: acquire,
		refused: refused,
		release: func(a ask, mutex *redsync.Mutex) error { return done(mutex.Unlock()) },
		renew:   func(a ask, mutex *redsync.Mutex) (object, error) { return promised(a), done(mutex.Extend()) },
		owned:   func(a ask, mutex *redsync.Mutex) (bool, error) { return mutex.Valid() },
	})
}
