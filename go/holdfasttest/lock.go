// Package holdfasttest tests whether a distributed lock is safe, as an ordinary Go test.
//
//	func TestMain(m *testing.M) { holdfasttest.Main(m, holdfasttest.Locks{"my_lock": newMyLock}) }
//
//	func TestMyLock(t *testing.T) {
//		holdfasttest.Try(t, "my_lock", holdfasttest.Servers("redis")).Expect(holdfasttest.AsSafeAsALease)
//	}
//
// The test program is also the adapter: holdfast starts a copy of it for each client, and Main answers its requests
// through the lock.
package holdfasttest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Ask is a request of holdfast. Its fields are those of the messages in docs/adapters.md; hello has the Servers.
type Ask = ask

// Lease returns the length of the lease.
func (a ask) Lease() time.Duration { return a.lease() }

// Address returns host:port of a server of hello.
func (a ask) Address(server int) string { return a.address(server) }

// Context ends when an acquire may wait no longer, or was cancelled.
func (a ask) Context() context.Context { return a.ctx }

// ErrRefused is the error for a lock that certainly was not granted, or is not held (any more). All other errors mean
// that the outcome is unknown.
var ErrRefused = errors.New("refused by the lock")

// Lock wraps the lock under test. The grant is whatever a release needs, such as a token; it must not be nil.
type Lock interface {
	Acquire(Ask) (grant any, err error)
	Release(ask Ask, grant any) error
}

// Granted is a grant whose answer has more fields.
type Granted struct {
	Grant any
	Token uint64        // fencing token; 0: none
	Lease time.Duration // 0: the requested one
}

// Renewer is a lock that can "renew".
type Renewer interface {
	Renew(ask Ask, grant any) error
}

// Owner is a lock that can report if it is "owned".
type Owner interface {
	Owned(ask Ask, grant any) (bool, error)
}

// Loser is a lock that can report "lost": the channel is closed when the grant is gone.
type Loser interface {
	Lost(grant any) <-chan struct{}
}

// Always asserts what must be true whenever it is evaluated: a false one breaks the lock. `why` tells more about it,
// and may be empty. Assertions may be made anywhere and at any time; outside of holdfast's clients they do nothing.
func Always(holds bool, name, why string) {
	if isAdapter() {
		always(holds, name, why)
	}
}

// Sometimes asserts what must be true at least once in a run.
func Sometimes(holds bool, name, why string) {
	if isAdapter() {
		sometimes(holds, name, why)
	}
}

// Reached marks a place that a run must reach at least once.
func Reached(name, why string) {
	if isAdapter() {
		reached(name, why)
	}
}

// New connects a client to the servers of hello.
type New = func(hello Ask) (Lock, error)

// Locks are the locks of a test program, by their names in reports.
type Locks map[string]New

const adapterWord = "holdfast-adapter" // first argument of a test program that holdfast started

var known Locks

// Runs before any package of the user, which could print.
func init() {
	if isAdapter() {
		divertOutput()
	}
}

func isAdapter() bool { return len(os.Args) > 1 && os.Args[1] == adapterWord }

// Main runs the tests, or serves one of the locks if holdfast started the program. TestMain calls it first.
func Main(m *testing.M, locks Locks) {
	known = locks
	if !isAdapter() {
		os.Exit(m.Run())
	}
	name, can := os.Args[2], strings.Fields(os.Args[3])
	if locks[name] == nil {
		fmt.Fprintf(os.Stderr, "%s: not in holdfasttest.Locks; remedy: run the test again\n", name)
		os.Exit(1)
	}
	serve(adapterOf(name, locks[name], can))
}

func adapterOf(name string, connect New, can []string) *adapter[any] {
	var lock Lock
	d := &adapter[any]{refused: func(err error) bool { return errors.Is(err, ErrRefused) }}
	d.hello = func(a ask) (err error) {
		if lock, err = connect(a); err == nil {
			err = missingMethod(name, lock, can)
		}
		return err
	}
	d.acquire = func(a ask) (any, object, error) {
		grant, err := lock.Acquire(a)
		if err == nil && grant == nil {
			err = errors.New("Acquire returned neither a grant nor an error")
		}
		held, more := grant, object{}
		if all, ok := grant.(Granted); ok {
			held, more = all.Grant, all.fields()
		}
		return held, more, err
	}
	d.release = func(a ask, grant any) error { return lock.Release(a, grant) }
	for _, word := range can {
		switch word {
		case "renew":
			d.renew = func(a ask, grant any) (object, error) { return nil, lock.(Renewer).Renew(a, grant) }
		case "owned":
			d.owned = func(a ask, grant any) (bool, error) { return lock.(Owner).Owned(a, grant) }
		case "lost":
			d.lost = func(grant any) <-chan struct{} { return lock.(Loser).Lost(grant) }
		default:
			d.can = append(d.can, word)
		}
	}
	return d
}

func (g Granted) fields() object {
	more := object{}
	if g.Token != 0 {
		more["token"] = strconv.FormatUint(g.Token, 10)
	}
	if g.Lease != 0 {
		more["lease_ms"] = max(1, g.Lease.Milliseconds())
	}
	return more
}

func missingMethod(name string, lock Lock, can []string) error {
	_, renews := lock.(Renewer)
	_, owns := lock.(Owner)
	_, loses := lock.(Loser)
	for word, has := range map[string]bool{"renew": renews, "owned": owns, "lost": loses} {
		if slices.Contains(can, word) && !has {
			method := strings.ToUpper(word[:1]) + word[1:]
			return fmt.Errorf("%s: %T has no method %s; remedy: write it, or remove Can(%q)", name, lock, method, word)
		}
	}
	return nil
}
