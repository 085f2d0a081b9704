// goose's lock on a table of PostgreSQL (NewPostgresTableLocker), with its heartbeat, or with the option `session`, as
// in lock_session.json, its advisory lock of a session (NewPostgresSessionLocker). Each acquire has its own locker.
package main

import (
	"context"
	"database/sql"
	"hash/crc32"
	"regexp"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3/lock"
)

const every = 100 * time.Millisecond // between two attempts

var (
	db      *sql.DB
	session bool
)

type held func() error // what releases it

func hello(a ask) (err error) {
	session = a.option("session")
	if !session {
		locks.can = append(locks.can, "background")
	}
	at := a.Servers[0]
	how := "?sslmode=disable&default_query_exec_mode=exec" // statements are sent whole, not prepared once
	db, err = sql.Open("pgx", "postgres://"+at.User+"@"+a.address(0)+"/"+at.Database+how)
	return err
}

func id(a ask) int64 { return int64(crc32.ChecksumIEEE([]byte(a.Lock))) }

// Repetitions that fit into the time that it may wait; the library's least is one.
func retries(a ask, pause time.Duration) uint64 {
	if a.WaitMs == nil {
		return 1 << 40
	}
	return max(1, uint64(*a.WaitMs/pause.Milliseconds()))
}

func acquire(a ask) (held, object, error) {
	if session {
		return acquireSession(a)
	}
	pause := every
	if a.once() {
		pause = time.Millisecond
	}
	locker, err := lock.NewPostgresTableLocker(lock.WithTableName("goose_"+a.Lock), lock.WithTableLeaseDuration(a.lease()),
		lock.WithTableHeartbeatInterval(a.lease()/6), // the defaults are 30 s and 5 s
		lock.WithTableLockTimeout(pause, retries(a, every)), lock.WithTableUnlockTimeout(every, 2))
	if err != nil {
		return nil, nil, err
	}
	err = locker.Lock(context.Background(), db) // the heartbeat ends with this context
	return func() error { return locker.Unlock(context.Background(), db) }, nil, err
}

func acquireSession(a ask) (held, object, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(id(a)), lock.WithUnlockTimeout(1, 1),
		lock.WithLockTimeout(1, retries(a, time.Second)))
	if err != nil {
		return nil, nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, nil, err
	}
	if err = locker.SessionLock(context.Background(), conn); err != nil {
		conn.Close()
	}
	return func() error {
		defer conn.Close()
		return locker.SessionUnlock(context.Background(), conn)
	}, nil, err
}

// The library has no types for its refusals.
var refusals = regexp.MustCompile("already held by another|failed to acquire lock|not held by this instance|" +
	"failed to unlock session")

var locks = &adapter[held]{
	module:  "github.com/pressly/goose/v3",
	can:     []string{"block", "threads", "wait"},
	acquire: acquire,
	release: func(_ ask, release held) error { return release() },
	refused: func(err error) bool { return refusals.MatchString(err.Error()) },
}

func main() {
	locks.hello = hello // it changes `can`
	serve(locks)
}
