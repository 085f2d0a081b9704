// Package recorder records what workers ask of a lock and what they are told, for `holdfast check`: docs/own_log.md.
package recorder

import (
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Recorder is one of a program: a file of its own, PREFIX.PID-START.jsonl. Each goroutine takes a worker of it.
type Recorder struct {
	name  string
	file  *os.File
	count atomic.Int64
}

type Worker struct {
	file   *os.File
	name   string
	life   int
	unsure bool
	f, key string
}

func New(prefix string) (*Recorder, error) {
	name := fmt.Sprintf("%d-%d", os.Getpid(), now())
	file, err := os.OpenFile(prefix+"."+name+".jsonl", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return &Recorder{name: name, file: file}, err
}

func (r *Recorder) Worker() *Worker {
	return &Worker{file: r.file, name: fmt.Sprintf("%s.%d", r.name, r.count.Add(1))}
}

// Before is called with "acquire", "renew" or "release", just before the call.
func (w *Worker) Before(f, key string) {
	if f == "acquire" && w.unsure { // after an unknown outcome whoever goes on is somebody else
		w.life, w.unsure = w.life+1, false
	}
	w.f, w.key = f, key
	w.line("invoke", "")
}

// After is told "ok"; "fail" with the reason "busy" or "not_held"; "info" of an error: just after the call.
func (w *Worker) After(outcome, reason string) {
	w.unsure = w.unsure || outcome == "info"
	w.line(outcome, reason)
}

func (w *Worker) line(kind, reason string) {
	line, err := json.Marshal(struct {
		Time    int64  `json:"time"`
		Process string `json:"process"`
		Type    string `json:"type"`
		F       string `json:"f"`
		Key     string `json:"key"`
		Reason  string `json:"reason,omitempty"`
	}{now(), fmt.Sprintf("%s.%d", w.name, w.life), kind, w.f, w.key, reason})
	if err == nil {
		_, err = w.file.Write(append(line, '\n')) // one write a line: whole, or not there
	}
	if err != nil {
		panic(err) // a log with holes would tell lies
	}
}

// The host's CLOCK_MONOTONIC, as the other recorders have it: time.Now() keeps it to itself.
func now() int64 {
	var at syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&at)), 0)
	return at.Nano()
}
