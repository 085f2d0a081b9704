// The library redsync with go-redis, with one Redis or several (its algorithm needs a majority of them).
//
// Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	goredislib "github.com/redis/go-redis/v9"
)

const timeout = 2 * time.Second // a server that is silent for longer leaves the outcome unknown

type ask struct {
	Do      string
	N       int64
	Lock    string
	Owner   string
	LeaseMs int64 `json:"lease_ms"`
	Servers []struct {
		Role, Host string
		Port       int
	}
}

type object map[string]any

var (
	sync  *redsync.Redsync
	owner string
	held  = map[string]*redsync.Mutex{} // locks that may be held
)

func hello(a ask) object {
	var pools []redis.Pool
	for _, at := range a.Servers {
		if at.Role != "lock" {
			continue // replicas are no place for a lock
		}
		// Never asked twice (-1): a second unlock would be refused because of the first one, whose reply was lost.
		pools = append(pools, goredis.NewPool(goredislib.NewClient(&goredislib.Options{
			Addr: fmt.Sprintf("%s:%d", at.Host, at.Port), MaxRetries: -1, DialerRetries: 1,
			DialTimeout: timeout, ReadTimeout: timeout, WriteTimeout: timeout})))
	}
	sync, owner = redsync.New(pools...), a.Owner
	return object{"is": "ready", "v": 1, "name": "go_redsync", "version": "4.15.0", "can": []string{"renew", "owned"}}
}

// The meaning of a library's error: refused by servers that answered, or unknown.
func outcome(err error, refused string) object {
	var taken *redsync.ErrTaken
	if errors.As(err, &taken) || errors.Is(err, redsync.ErrLockAlreadyExpired) {
		return object{"is": refused}
	}
	return object{"is": "info", "why": fmt.Sprint(err)}
}

// redsync promises a little less than the servers store, by its drift factor.
func granted(began time.Time, mutex *redsync.Mutex) object {
	return object{"is": "ok", "lease_ms": max(1, mutex.Until().Sub(began).Milliseconds())}
}

func acquire(a ask) object {
	value := func() (string, error) { return fmt.Sprintf("%s:%d", owner, a.N), nil }
	lease := time.Duration(a.LeaseMs) * time.Millisecond
	mutex, began := sync.NewMutex(a.Lock, redsync.WithExpiry(lease), redsync.WithGenValueFunc(value)), time.Now()
	if err := mutex.TryLock(); err != nil {
		return outcome(err, "busy")
	}
	held[a.Lock] = mutex
	return granted(began, mutex)
}

func withHeld(a ask) object {
	mutex, began := held[a.Lock], time.Now()
	switch {
	case mutex == nil && a.Do == "owned":
		return object{"is": "no"}
	case mutex == nil:
		return object{"is": "not_held"}
	case a.Do == "release":
		if done, err := mutex.Unlock(); !done {
			return outcome(err, "not_held")
		}
		return object{"is": "ok"}
	case a.Do == "renew":
		if done, err := mutex.Extend(); !done {
			return outcome(err, "not_held")
		}
		return granted(began, mutex)
	}
	if valid, err := mutex.Valid(); !valid {
		return outcome(err, "no")
	}
	return object{"is": "yes"}
}

func answer(a ask) object {
	switch a.Do {
	case "hello":
		return hello(a)
	case "acquire":
		return acquire(a)
	case "renew", "release", "owned":
		return withHeld(a)
	case "pulse":
		return object{"is": "ok", "wall_ms": time.Now().UnixMilli()}
	}
	return object{"is": "fail", "why": "cannot " + a.Do}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<17)
	for lines.Scan() {
		var a ask
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if a.Do == "bye" {
			return
		}
		said := answer(a)
		said["n"] = a.N
		line, _ := json.Marshal(said)
		fmt.Printf("%s\n", line)
	}
}
