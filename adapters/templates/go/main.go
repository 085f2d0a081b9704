// @NAME@: a first adapter that works, a lock on Redis. Put your lock in the place of hello, acquire and release.
//
// Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
// `@PROGRAM@ adapter check @NAME@` says whether it speaks properly.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	connect = 2 * time.Second
	remove  = `
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  else
    return 0
  end
`
)

// Also there: client, seed, locks, options (of lock.json), wait_ms.
type ask struct {
	Do      string
	N       int64
	Lock    string
	Owner   string
	LeaseMs int64 `json:"lease_ms"`
	Servers []struct {
		Host string
		Port int
	}
}

type object map[string]any

var (
	server *redis.Client
	owner  string
	values = map[string]string{} // of locks that may be held
)

// Replace this part, up to `answer`. Each outcome is one word. An error that is not documented as a refusal is info:
// perhaps it was done. Each further feature (renew, owned) is one more function, and a word in `can` and in lock.json.
func hello(a ask) object {
	at := a.Servers[0]
	// Never asked twice (-1): a second SET NX would be refused because of the first one, whose reply was lost. A reply
	// is waited for (-1): a time-out would end an acquire whose grant comes late, and hide that it is over.
	server = redis.NewClient(&redis.Options{
		Addr: fmt.Sprintf("%s:%d", at.Host, at.Port), MaxRetries: -1, DialerRetries: 1,
		DialTimeout: connect, ReadTimeout: -1, WriteTimeout: -1})
	owner = a.Owner
	return object{"is": "ready", "v": 1, "name": "@NAME@", "version": redis.Version(), "can": []string{}}
}

// ok; busy: another has it. wait_ms 0: try once
func acquire(a ask) object {
	values[a.Lock] = fmt.Sprintf("%s:%d", owner, a.N)
	lease := time.Duration(a.LeaseMs) * time.Millisecond
	set, err := server.SetNX(context.Background(), a.Lock, values[a.Lock], lease).Result()
	return outcome(set, "busy", err)
}

// ok; not_held: another has it, or it is free
func release(a ask) object {
	deleted, err := server.Eval(context.Background(), remove, []string{a.Lock}, values[a.Lock]).Int()
	return outcome(deleted > 0, "not_held", err)
}

func outcome(done bool, refused string, err error) object {
	switch {
	case err != nil: // sent or not, done or not: unknown
		return object{"is": "info", "why": err.Error()}
	case done:
		return object{"is": "ok"}
	}
	return object{"is": refused}
}

func answer(a ask) object {
	switch a.Do {
	case "hello":
		return hello(a)
	case "acquire":
		return acquire(a)
	case "release":
		return release(a)
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
