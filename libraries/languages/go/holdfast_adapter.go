// What all adapters in Go have in common: holdfast's adapter protocol (docs/adapters.md). This file is copied beside
// the library's own, which is
//
//	func main() {
//		serve(&adapter[*Lock]{
//			module:  "example.org/locks",    // whose version `ready` tells
//			can:     []string{"block", "threads"},
//			hello:   func(a ask) error {...},                  // connects, to a.Servers
//			acquire: func(a ask) (*Lock, object, error) {...}, // nil, or more for the answer: object{"token": 7}
//			release: func(a ask, held *Lock) error {...},
//			refused: func(err error) bool {...}, // what the library documents as "another's" or "not yours (any more)"
//		})
//	}
//
// What else the lock can is a function more (renew, owned, lost), or a word of `can` (background, wait, cancel, ...). A
// refusal is `busy` or `not_held`; every other error is `info`: perhaps it was done. Each thread of the load has a
// goroutine of its own. The context of an acquire is over when it may wait no longer, or when it was cancelled.
//
// Assertions may be made anywhere and at any time; `why` tells more, and may be empty:
//
//	always(!renewing, "no renewal after release", "")     // false: the lock is broken
//	sometimes(attempts > 1, "a request was retried", "")  // must be true at least once in the run
//	reached("the fallback server is used", "")            // must come at least once in the run
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

type place struct {
	Kind, Role, Host, User, Database string
	Port                             int
}

type ask struct {
	Do, Lock, Name, Owner string
	N, Client, Of, Ms     int64
	Thread                *int64 // of a lock with threads
	LeaseMs               int64  `json:"lease_ms"`
	WaitMs                *int64 `json:"wait_ms"`
	Locks                 []string
	Options               map[string]any
	Servers               []place
	ctx                   context.Context
}

type object map[string]any

func (a ask) lease() time.Duration { return time.Duration(a.LeaseMs) * time.Millisecond }

func (a ask) once() bool { return a.WaitMs != nil && *a.WaitMs == 0 }

func (a ask) option(name string) bool { return a.Options[name] == true }

func (a ask) address(server int) string {
	return fmt.Sprintf("%s:%d", a.Servers[server].Host, a.Servers[server].Port)
}

type key struct {
	lock   string
	thread int64
}

func (a ask) thread() int64 {
	if a.Thread == nil {
		return 0
	}
	return *a.Thread
}

func (a ask) key() key { return key{a.Lock, a.thread()} }

type grant[H any] struct {
	held      H
	leaseMs   int64
	releasing bool // from here on its end is no loss
}

type adapter[H any] struct {
	module  string
	can     []string
	hello   func(ask) error
	acquire func(ask) (H, object, error)
	release func(ask, H) error
	renew   func(ask, H) (object, error)
	owned   func(ask, H) (bool, error)
	lost    func(H) <-chan struct{} // closed when the library tells that it is gone
	refused func(error) bool

	mutex   sync.Mutex
	grants  map[key]*grant[H]
	cancels map[int64]context.CancelFunc // of the acquires that are open
}

func (d *adapter[H]) words() []string {
	words := slices.Clone(d.can)
	for word, there := range map[string]bool{"renew": d.renew != nil, "owned": d.owned != nil, "lost": d.lost != nil} {
		if there {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return words
}

// Of the module as it was built in: go.mod says which, or the caller of install.sh.
func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, one := range info.Deps {
			if one.Path == module {
				return strings.TrimPrefix(one.Version, "v")
			}
		}
	}
	return "unknown"
}

func outcome(err error, refused func(error) bool, refusal string) object {
	switch {
	case err == nil:
		return object{"is": "ok"}
	case refused != nil && refused(err):
		return object{"is": refusal}
	}
	return object{"is": "info", "why": fmt.Sprintf("%.500s", err)} // sent or not, done or not: nobody knows
}

func (d *adapter[H]) find(k key) *grant[H] {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.grants[k]
}

// Whether it was there still.
func (d *adapter[H]) forget(k key, of *grant[H], unlessReleasing bool) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.grants[k] != of || (unlessReleasing && of.releasing) {
		return false
	}
	delete(d.grants, k)
	return true
}

func (d *adapter[H]) doAcquire(a ask) object {
	held, more, err := d.acquire(a)
	said := outcome(err, d.refused, "busy")
	if err != nil {
		return said
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.grants[a.key()] = &grant[H]{held: held, leaseMs: a.LeaseMs}
	maps.Copy(said, more)
	return said
}

// After the `ok` was said: a loss that came sooner is told now.
func (d *adapter[H]) watch(a ask) {
	if of := d.find(a.key()); of != nil && d.lost != nil {
		gone := d.lost(of.held)
		go func() {
			<-gone
			if d.forget(a.key(), of, true) {
				said := object{"is": "lost", "lock": a.Lock}
				if a.Thread != nil {
					said["thread"] = *a.Thread
				}
				say(said)
			}
		}()
	}
}

func (d *adapter[H]) withHeld(a ask) object {
	of, refusal := d.find(a.key()), "not_held"
	if a.Do == "owned" {
		refusal = "no"
	}
	if of == nil {
		return object{"is": refusal}
	}
	a.LeaseMs = of.leaseMs // a renewal is for as long as the grant was
	var err error
	var more object
	is := "ok"
	switch a.Do {
	case "release":
		d.mutex.Lock()
		of.releasing = true
		d.mutex.Unlock()
		err = d.release(a, of.held)
	case "renew":
		more, err = d.renew(a, of.held)
	case "owned":
		var yes bool
		if yes, err = d.owned(a, of.held); yes {
			is = "yes"
		} else {
			is = "no"
		}
	}
	said := outcome(err, d.refused, refusal)
	if err == nil {
		maps.Copy(said, more)
		said["is"] = is
	}
	if said["is"] == refusal || (a.Do == "release" && err == nil) {
		d.forget(a.key(), of, false)
	}
	return said
}

func (d *adapter[H]) do(a ask) {
	var said object
	switch a.Do {
	case "acquire":
		said = d.doAcquire(a)
		d.mutex.Lock()
		d.cancels[a.N]() // frees its timer
		delete(d.cancels, a.N)
		d.mutex.Unlock()
	case "block":
		time.Sleep(time.Duration(a.Ms) * time.Millisecond)
		said = object{"is": "ok"}
	default:
		said = d.withHeld(a)
	}
	said["n"] = a.N
	say(said)
	if a.Do == "acquire" && said["is"] == "ok" {
		d.watch(a)
	}
}

func (d *adapter[H]) begin(a *ask) {
	wait := time.Duration(math.MaxInt64) // 0 is no time-out either: it asks once
	if a.WaitMs != nil && *a.WaitMs > 0 {
		wait = time.Duration(*a.WaitMs) * time.Millisecond
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	a.ctx, d.cancels[a.N] = context.WithTimeout(context.Background(), wait)
}

func (d *adapter[H]) cancel(of int64) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if over := d.cancels[of]; over != nil {
		over()
	}
}

func (d *adapter[H]) knows(do string) bool {
	return slices.Contains([]string{"acquire", "release"}, do) || slices.Contains(d.words(), do)
}

func serve[H any](d *adapter[H]) {
	d.grants, d.cancels = map[key]*grant[H]{}, map[int64]context.CancelFunc{}
	workers := map[int64]chan ask{} // by the thread that asks
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<17)
	for lines.Scan() {
		a := ask{ctx: context.Background()}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch {
		case a.Do == "bye":
			asserted.tellAll()
			os.Exit(0) // who still waits is not waited for
		case a.Do == "hello": // replicas are no place for a lock
			a.Servers = slices.DeleteFunc(a.Servers, func(at place) bool { return at.Role != "lock" })
			if err := d.hello(a); err != nil {
				say(object{"n": a.N, "is": "fail", "why": err.Error()})
				continue
			}
			say(object{"n": a.N, "is": "ready", "v": 1, "name": a.Name, "version": version(d.module), "can": d.words()})
		case a.Do == "pulse": // at once, whoever waits
			say(object{"n": a.N, "is": "ok", "wall_ms": time.Now().UnixMilli()})
		case !d.knows(a.Do):
			say(object{"n": a.N, "is": "fail", "why": "cannot " + a.Do})
		case a.Do == "cancel":
			d.cancel(a.Of)
			say(object{"n": a.N, "is": "ok"})
		default:
			if a.Do == "acquire" {
				d.begin(&a)
			}
			thread := a.thread()
			if workers[thread] == nil {
				workers[thread] = make(chan ask, 16)
				go func(asked chan ask) {
					for one := range asked {
						d.do(one)
					}
				}(workers[thread])
			}
			workers[thread] <- a
		}
	}
	asserted.tellAll()
	os.Exit(0)
}

type assertion struct {
	kind, name string
	holds      bool
}

type evaluations struct{ all, told int64 }

// Assertions, counted. A line tells the first evaluation of each result, and then each time that they have doubled.
type assertions struct {
	mutex  sync.Mutex
	counts map[assertion]*evaluations
}

var asserted = assertions{counts: map[assertion]*evaluations{}}

func (s *assertions) add(one assertion, why string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	count := s.counts[one]
	if count == nil {
		count = &evaluations{}
		s.counts[one] = count
	}
	count.all++
	if count.all >= 2*count.told {
		count.tell(one, why)
	}
}

func (s *assertions) tellAll() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for one, count := range s.counts {
		if count.all > count.told {
			count.tell(one, "")
		}
	}
}

func (count *evaluations) tell(one assertion, why string) {
	said := object{"is": one.kind, "name": one.name, "count": count.all - count.told}
	if one.kind != "reached" {
		said["holds"] = one.holds
	}
	if why != "" {
		said["why"] = fmt.Sprintf("%.500s", why)
	}
	count.told = count.all
	say(said)
}

func always(holds bool, name, why string) { asserted.add(assertion{"always", name, holds}, why) }

func sometimes(holds bool, name, why string) { asserted.add(assertion{"sometimes", name, holds}, why) }

func reached(name, why string) { asserted.add(assertion{"reached", name, true}, why) }

// Standard output is for answers; what a library prints goes to standard error.
var (
	answers = os.Stdout
	writing sync.Mutex
)

func init() { os.Stdout = os.Stderr }

func say(said object) {
	line, _ := json.Marshal(said)
	writing.Lock()
	defer writing.Unlock()
	answers.Write(append(line, '\n')) // a line is written as a whole
}
