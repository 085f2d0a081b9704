// Workers that share a lock on Redis, with the recorder: worker PREFIX PORT sound|unsure|no_lock|frees.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"sync"
	"time"

	"recorded/recorder"

	"github.com/redis/go-redis/v9"
)

const remove = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"

func rest() { time.Sleep(time.Millisecond + time.Duration(rand.Intn(4_000_000))) }

func told(log *recorder.Worker, done bool, refused string, err error) {
	switch {
	case err != nil:
		log.After("info", "")
	case done:
		log.After("ok", "")
	default:
		log.After("fail", refused)
	}
}

func work(log *recorder.Worker, owner int, server *redis.Client, mode string) {
	ctx := context.Background()
	for turn := 0; turn < 40; turn++ {
		mine := fmt.Sprintf("%d.%d.%d", os.Getpid(), owner, turn)
		log.Before("acquire", "orders")
		granted, err := server.SetNX(ctx, "orders", mine, 30*time.Second).Result()
		granted = granted || mode == "no_lock"
		unsure := mode == "unsure" && turn%7 == 0
		if unsure {
			err = errors.New("as if the reply had been lost")
		}
		told(log, granted, "busy", err)
		if granted || unsure || (mode == "frees" && turn%5 == 0) {
			rest()
			log.Before("release", "orders")
			var freed int64
			if mode == "frees" {
				freed, err = server.Del(ctx, "orders").Result()
			} else {
				freed, err = server.Eval(ctx, remove, []string{"orders"}, mine).Int64()
			}
			told(log, freed > 0 || mode == "no_lock", "not_held", err)
		}
		rest()
	}
}

func main() {
	log, err := recorder.New(os.Args[1])
	if err != nil {
		panic(err)
	}
	server := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + os.Args[2]})
	var all sync.WaitGroup
	for owner := 0; owner < 4; owner++ {
		all.Add(1)
		go func() {
			defer all.Done()
			work(log.Worker(), owner, server, os.Args[3])
		}()
	}
	all.Wait()
}
