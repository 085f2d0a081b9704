// redislock with a go-redis client of default settings, as its README shows it: one attempt, nil options. With the
// option `retry`, as in lock_retry.json, an acquire waits by the library's example of a linear, limited back-off.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

const every = 100 * time.Millisecond // of the example

var (
	client *redislock.Client
	retry  bool
)

func hello(a ask) error {
	client = redislock.New(redis.NewClient(&redis.Options{Network: "tcp", Addr: a.address(0)}))
	if retry = a.option("retry"); retry {
		locks.can = append(locks.can, "cancel", "wait")
	}
	return nil
}

func acquire(a ask) (*redislock.Lock, object, error) {
	if !retry || a.once() {
		lock, err := client.Obtain(context.Background(), a.Lock, a.lease(), nil)
		return lock, nil, err
	}
	tries := 1 << 30 // without a deadline of the caller's the library waits for one lease at most
	if a.WaitMs != nil {
		tries = int(*a.WaitMs / every.Milliseconds())
	}
	ctx, over := context.WithCancel(context.Background()) // it knows of the load's cancel, and of no deadline
	defer over()
	defer context.AfterFunc(a.ctx, func() {
		if errors.Is(a.ctx.Err(), context.Canceled) {
			over()
		}
	})()
	options := &redislock.Options{RetryStrategy: redislock.LimitRetry(redislock.LinearBackoff(every), tries)}
	lock, err := client.Obtain(ctx, a.Lock, a.lease(), options)
	return lock, nil, err
}

func owned(_ ask, lock *redislock.Lock) (bool, error) {
	left, err := lock.TTL(context.Background())
	return left > 0, err
}

func refused(err error) bool {
	return errors.Is(err, redislock.ErrNotObtained) || errors.Is(err, redislock.ErrLockNotHeld)
}

var locks = &adapter[*redislock.Lock]{
	module:  "github.com/bsm/redislock",
	can:     []string{"block", "threads"},
	acquire: acquire,
	owned:   owned,
	refused: refused,
	release: func(_ ask, lock *redislock.Lock) error { return lock.Release(context.Background()) },
	renew: func(a ask, lock *redislock.Lock) (object, error) {
		return nil, lock.Refresh(context.Background(), a.lease(), nil)
	},
}

func main() {
	locks.hello = hello // it changes `can`
	serve(locks)
}
