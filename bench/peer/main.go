// Checks a lock history with Porcupine, a general checker of linearizability, on one processor, and prints what its
// check alone took: reading the file does not count. For bench/checker_bars.py --peer; nothing else needs it.
//
//	cd bench/peer && go build -o peer . && ./peer history.jsonl
//
// Each key is checked by itself. The peer gets the holder of the lock, so it judges like model owner, except refusals.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sort"
	"syscall"
	"time"

	"github.com/anishathalye/porcupine"
)

type line struct {
	Time    int64       `json:"time"`
	Process json.Number `json:"process"`
	Type    string      `json:"type"`
	F       string      `json:"f"`
	Key     string      `json:"key"`
}

type input struct {
	acquire bool
	process int64
	key     string
}

func read(path string) []porcupine.Operation {
	file, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	var out []porcupine.Operation
	open := map[int64]int{}
	in := bufio.NewScanner(file)
	in.Buffer(make([]byte, 1<<20), 1<<20)
	for in.Scan() {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			panic(err)
		}
		process, _ := l.Process.Int64()
		switch l.Type {
		case "invoke":
			open[process] = len(out)
			asked := input{l.F == "acquire", process, l.Key}
			out = append(out, porcupine.Operation{ClientId: int(process), Input: asked, Call: l.Time, Return: -1})
		case "ok":
			out[open[process]].Return = l.Time
			delete(open, process)
		case "info":
			delete(open, process)
		}
	}
	return out
}

// An acquire that is open when the history ends got nothing, and kept no other client out. (Made for histories in which
// nothing else is without an answer.)
func answered(operations []porcupine.Operation) []porcupine.Operation {
	var out []porcupine.Operation
	for _, o := range operations {
		if o.Return >= 0 {
			out = append(out, o)
		}
	}
	return out
}

func byKey(history []porcupine.Operation) [][]porcupine.Operation {
	parts := map[string][]porcupine.Operation{}
	for _, o := range history {
		key := o.Input.(input).key
		parts[key] = append(parts[key], o)
	}
	keys := make([]string, 0, len(parts))
	for key := range parts {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	out := make([][]porcupine.Operation, 0, len(keys))
	for _, key := range keys {
		out = append(out, parts[key])
	}
	return out
}

var mutex = porcupine.Model{
	Partition: byKey,
	Init:      func() interface{} { return int64(-1) },
	Step: func(state, in, _ interface{}) (bool, interface{}) {
		holder, asked := state.(int64), in.(input)
		if asked.acquire {
			return holder == -1, asked.process
		}
		return holder == asked.process, int64(-1)
	},
}

func used() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func main() {
	runtime.GOMAXPROCS(1)
	operations := answered(read(os.Args[1]))
	before, start := used(), time.Now()
	legal := porcupine.CheckOperations(mutex, operations)
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	fmt.Printf("%v %d operations, check: %.3f s of processor time (%.3f s by the clock), %d MiB\n",
		legal, len(operations), used()-before, time.Since(start).Seconds(), u.Maxrss>>10)
}
