package main

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	tryLock = "SELECT pg_try_advisory_lock(hashtext($1))"
	unlock  = "SELECT pg_advisory_unlock(hashtext($1))"
)

// An advisory lock, and a connection that is kept out of the pool for as long as the lock is held. The lock is asked
// for through the pool, and so on another connection than the one that is kept and that unlocks; the unlock's answer is
// ignored. The twin asks on the connection that it keeps.
type otherSession struct {
	hello ask
	pool  *pgxpool.Pool
	held  map[string]*pgxpool.Conn
}

func (l *otherSession) connections() (*pgxpool.Pool, error) {
	if l.pool != nil {
		return l.pool, nil
	}
	at := l.hello.Servers[0]
	config, err := pgxpool.ParseConfig(fmt.Sprintf("host=%s port=%d user=%s dbname=%s sslmode=disable connect_timeout=2",
		at.Host, at.Port, at.User, at.Database))
	if err != nil {
		return nil, err
	}
	config.MaxConns = 16
	l.pool, err = pgxpool.NewWithConfig(ctx, config)
	return l.pool, err
}

// Ends the session, and what it may hold with it.
func end(kept *pgxpool.Conn) {
	_ = kept.Conn().Close(ctx)
	kept.Release()
}

func (l *otherSession) acquire(a ask) (string, error) {
	if l.held[a.Lock] != nil {
		return "busy", nil // this program has it already
	}
	pool, err := l.connections()
	if err != nil {
		return "", err
	}
	kept, err := pool.Acquire(ctx)
	if err != nil {
		return "", err
	}
	var granted bool
	if l.hello.Options.Twin {
		err = kept.QueryRow(ctx, tryLock, a.Lock).Scan(&granted)
	} else {
		err = pool.QueryRow(ctx, tryLock, a.Lock).Scan(&granted)
	}
	if err != nil {
		end(kept)
		return "", err
	}
	if !granted {
		kept.Release()
		return "busy", nil
	}
	l.held[a.Lock] = kept
	return "ok", nil
}

func (l *otherSession) release(a ask) (string, error) {
	kept := l.held[a.Lock]
	if kept == nil {
		return "not_held", nil
	}
	delete(l.held, a.Lock)
	var freed bool
	if err := kept.QueryRow(ctx, unlock, a.Lock).Scan(&freed); err != nil {
		end(kept)
		return "", err
	}
	kept.Release()
	return said(freed || !l.hello.Options.Twin, "not_held"), nil
}

func (l *otherSession) renew(ask) (string, error) { return "", errors.New("has no lease") }
