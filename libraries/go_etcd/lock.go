// etcd's own package concurrency: Mutex, in a session of each thread that lives until it is lost. With the option
// `election`, its Election; with `unwatched`, nobody looks at Session.Done, as in the package's own examples; with
// `fenced`, the revision at which the mutex was had is the token.
package main

import (
	"context"
	"errors"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

const cleaned = "\x00" // what Mutex.Key says once its entry was removed

type holder struct {
	session *concurrency.Session
	free    func(context.Context) error
}

var (
	client   *clientv3.Client
	owner    string
	fenced   bool
	mutex    sync.Mutex
	sessions = map[[2]int64]*concurrency.Session{} // by thread and seconds
)

func hello(a ask) (err error) {
	config := clientv3.Config{DialTimeout: 5 * time.Second} // of the client's README
	for server := range a.Servers {
		config.Endpoints = append(config.Endpoints, a.address(server))
	}
	if owner, fenced = a.Owner, a.option("fenced"); !a.option("unwatched") {
		locks.lost = func(held holder) <-chan struct{} { return held.session.Done() }
	}
	if client, err = clientv3.New(config); err == nil && a.option("election") {
		locks.acquire, locks.can = campaign, []string{"background", "leader", "wait"}
		for _, lock := range a.Locks {
			go observe(lock)
		}
	}
	return err
}

func session(a ask) (*concurrency.Session, error) {
	which := [2]int64{a.thread(), a.LeaseMs / 1000}
	mutex.Lock()
	old := sessions[which]
	mutex.Unlock()
	if old != nil && old.Ctx().Err() == nil {
		return old, nil
	}
	lasting, drop := context.WithCancel(client.Ctx()) // not the acquire's: a session ends with its context
	defer context.AfterFunc(a.ctx, drop)()
	made, err := concurrency.NewSession(client, concurrency.WithTTL(int(which[1])), concurrency.WithContext(lasting))
	if err == nil {
		mutex.Lock()
		defer mutex.Unlock()
		sessions[which] = made
	}
	return made, err
}

// Whose wait is over was refused, if the library has cleaned up; else its entry may be there still.
func waited(a ask, clean bool, err error) error {
	if err != nil && a.ctx.Err() != nil && clean {
		return concurrency.ErrLocked
	}
	return err
}

func acquire(a ask) (holder, object, error) {
	held, err := session(a)
	if err != nil {
		return holder{}, nil, err
	}
	lock := concurrency.NewMutex(held, a.Lock)
	if a.once() {
		err = lock.TryLock(a.ctx)
	} else {
		err = lock.Lock(a.ctx)
		err = waited(a, lock.Key() == cleaned, err)
	}
	if err == nil && fenced {
		return holder{held, lock.Unlock}, object{"token": lock.Header().Revision, "lease_ms": left(a)}, nil
	}
	return holder{held, lock.Unlock}, object{"lease_ms": left(a)}, err
}

// A request does not prolong its session's lease. The client does at a third of it, and looks every half second.
func left(a ask) int64 {
	return a.LeaseMs/1000*1000*2/3 - 500
}

func campaign(a ask) (holder, object, error) {
	held, err := session(a)
	if err != nil {
		return holder{}, nil, err
	}
	if a.once() { // Campaign knows no attempt that does not wait
		short, over := context.WithTimeout(a.ctx, 300*time.Millisecond)
		defer over()
		a.ctx = short
	}
	election := concurrency.NewElection(held, a.Lock)
	err = election.Campaign(a.ctx, owner)
	err = waited(a, election.Rev() != 0 && election.Key() == "", err)
	return holder{held, election.Resign}, object{"lease_ms": left(a)}, err
}

// Tells who leads, as Observe does. Where its channel is closed, it begins again.
func observe(lock string) {
	told, observer := "", int64(-1)
	for {
		watcher, err := session(ask{LeaseMs: 10_000, Thread: &observer, ctx: context.Background()})
		if err == nil {
			for seen := range concurrency.NewElection(watcher, lock).Observe(client.Ctx()) {
				if leader := string(seen.Kvs[0].Value); leader != told {
					told = leader
					say(object{"is": "leader", "lock": lock, "holder": leader})
				}
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func refused(err error) bool {
	return errors.Is(err, concurrency.ErrLocked) || errors.Is(err, concurrency.ErrSessionExpired) ||
		errors.Is(err, concurrency.ErrLockReleased) || errors.Is(err, concurrency.ErrElectionNotLeader)
}

var locks = &adapter[holder]{
	module:  "go.etcd.io/etcd/client/v3",
	can:     []string{"background", "block", "cancel", "threads", "wait"},
	acquire: acquire,
	release: func(_ ask, held holder) error { return held.free(context.Background()) },
	refused: refused,
}

func main() {
	locks.hello = hello // it changes what the others are
	serve(locks)
}
