// The adapter protocol: requests on standard input, answers on standard output. `class` of the options says which lock
// answers, `twin` whether it is the one without the mistake.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
)

type ask struct {
	Do      string
	N       int64
	Name    string
	Lock    string
	Locks   []string
	Owner   string
	LeaseMs int64 `json:"lease_ms"`
	Options struct {
		Class string
		Twin  bool
	}
	Servers []struct {
		Host     string
		Port     int
		User     string
		Database string
	}
}

type object map[string]any

type lock interface {
	acquire(a ask) (string, error)
	release(a ask) (string, error)
	renew(a ask) (string, error)
}

var (
	ctx     = context.Background()
	writing sync.Mutex
)

func say(n int64, reply object) {
	reply["n"] = n
	line, _ := json.Marshal(reply)
	writing.Lock()
	defer writing.Unlock()
	fmt.Printf("%s\n", line)
}

func said(done bool, otherwise string) string {
	if done {
		return "ok"
	}
	return otherwise
}

func answer(l lock, a ask) object {
	var is string
	var err error
	switch a.Do {
	case "acquire":
		is, err = l.acquire(a)
	case "release":
		is, err = l.release(a)
	case "renew":
		is, err = l.renew(a)
	default:
		return object{"is": "fail", "why": "cannot " + a.Do}
	}
	if err != nil {
		return object{"is": "info", "why": err.Error()} // sent or not, done or not: unknown
	}
	return object{"is": is}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<17)
	work := make(chan ask, 64)
	for lines.Scan() {
		var a ask
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch a.Do {
		case "bye":
			os.Exit(0)
		case "pulse": // at once, whatever the lock waits for
			say(a.N, object{"is": "ok", "wall_ms": time.Now().UnixMilli()})
		case "hello":
			l, can := made(a)
			go func() {
				for one := range work {
					say(one.N, answer(l, one))
				}
			}()
			say(a.N, object{"is": "ready", "v": 1, "name": a.Name, "version": "1", "can": can})
		default:
			work <- a
		}
	}
}
