// Locks on Redis that make one mistake each; the twin does not make it. Needs no module: Redis is spoken to directly.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

const deleteOwn = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`

type ask struct {
	Do      string
	N       int64
	Name    string
	Lock    string
	Owner   string
	LeaseMs int64 `json:"lease_ms"`
	Options struct {
		Class string
		Twin  bool
	}
	Servers []struct {
		Host string
		Port int
	}
}

// One command at a time on one connection, which is made again after it broke.
type client struct {
	place string
	conn  net.Conn
	in    *bufio.Reader
}

func (c *client) call(words ...any) (string, error) {
	if c.conn == nil {
		conn, err := net.Dial("tcp", c.place)
		if err != nil {
			return "", err
		}
		c.conn, c.in = conn, bufio.NewReader(conn)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "*%d\r\n", len(words))
	for _, word := range words {
		text := fmt.Sprint(word)
		fmt.Fprintf(&out, "$%d\r\n%s\r\n", len(text), text)
	}
	said, err := "", error(nil)
	if _, err = io.WriteString(c.conn, out.String()); err == nil {
		said, err = c.read()
	}
	if err != nil {
		c.conn.Close()
		c.conn = nil
	}
	return said, err
}

// A reply that is one line or one text; nil is empty.
func (c *client) read() (string, error) {
	line, err := c.in.ReadString('\n')
	if err != nil {
		return "", err
	}
	kind, line := line[0], strings.TrimSpace(line[1:])
	if kind == '-' {
		return "", errors.New(line)
	}
	if kind != '$' || line == "-1" {
		return strings.TrimPrefix(line, "-1"), nil
	}
	size, _ := strconv.Atoi(line)
	text := make([]byte, size+2)
	_, err = io.ReadFull(c.in, text)
	return string(text[:size]), err
}

var (
	redis  client
	class  string
	twin   bool
	owner  string
	values = map[string]string{} // of what may be its own
)

func own(a ask) string {
	values[a.Lock] = fmt.Sprintf("%s:%d", owner, a.N)
	return values[a.Lock]
}

func acquire(a ask) (string, error) {
	if class == "ExpireLater" && !twin { // a client that dies in between leaves the key for ever
		set, err := redis.call("SETNX", a.Lock, own(a))
		if err != nil || set != "1" {
			return "busy", err
		}
		_, err = redis.call("PEXPIRE", a.Lock, a.LeaseMs)
		return "ok", err
	}
	set, err := redis.call("SET", a.Lock, own(a), "NX", "PX", a.LeaseMs)
	if set != "OK" {
		return "busy", err
	}
	return "ok", err
}

func release(a ask) (string, error) {
	deleted, err := "", error(nil)
	switch {
	case class == "ReleaseUnchecked" && !twin: // whoever owns it
		deleted, err = redis.call("DEL", a.Lock)
	case class == "ReleaseInTwoSteps" && !twin:
		var value string
		if value, err = redis.call("GET", a.Lock); err != nil || value != values[a.Lock] {
			return "not_held", err
		}
		deleted, err = redis.call("DEL", a.Lock)
	default:
		deleted, err = redis.call("EVAL", deleteOwn, 1, a.Lock, values[a.Lock])
	}
	if deleted != "1" {
		return "not_held", err
	}
	return "ok", err
}

func answer(a ask) map[string]any {
	said, err := "", error(nil)
	switch a.Do {
	case "hello":
		redis.place = fmt.Sprintf("%s:%d", a.Servers[0].Host, a.Servers[0].Port)
		class, twin, owner = a.Options.Class, a.Options.Twin, a.Owner
		return map[string]any{"is": "ready", "v": 1, "name": a.Name, "version": "1", "can": []string{}}
	case "pulse":
		return map[string]any{"is": "ok", "wall_ms": time.Now().UnixMilli()}
	case "acquire":
		said, err = acquire(a)
	case "release":
		said, err = release(a)
	default:
		return map[string]any{"is": "fail", "why": "cannot " + a.Do}
	}
	if err != nil { // sent or not, done or not: unknown
		return map[string]any{"is": "info", "why": err.Error()}
	}
	return map[string]any{"is": said}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
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
