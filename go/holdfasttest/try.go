package holdfasttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const unavailable = 4 // exit code: this machine cannot run the lock

// Option describes a lock of TestMain, or how it is tried.
type Option func(*plan)

type plan struct {
	manifest  map[string]any
	can       []string
	arguments []string
}

// Servers names the kinds of server that the lock uses, such as "redis". A lock of TestMain needs it.
func Servers(kinds ...string) Option { return Key("servers", kinds) }

// Can adds abilities of the lock (docs/adapters.md): "threads" if several goroutines may use it at once, "wait",
// "cancel", ...; or "renew", "owned", "lost", whose methods the lock has.
func Can(words ...string) Option { return func(p *plan) { p.can = append(p.can, words...) } }

// Key sets another key of lock.json, such as Key("lease", false).
func Key(name string, value any) Option { return func(p *plan) { p.manifest[name] = value } }

// Arguments adds arguments of `holdfast try`.
func Arguments(more ...string) Option {
	return func(p *plan) { p.arguments = append(p.arguments, more...) }
}

var oneAtATime sync.Mutex // concurrent tries would slow each other down

// Try tests a lock of TestMain, a file of statements, an adapter's folder or a built-in lock. It skips the test where
// this machine cannot run the lock. The environment has further options: HOLDFAST_PROGRAM, HOLDFAST_FOR (seconds),
// HOLDFAST_SEED and HOLDFAST_OUT.
func Try(t *testing.T, lock string, options ...Option) *Verdict {
	t.Helper()
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	p := &plan{manifest: map[string]any{}, can: []string{"block"}}
	for _, option := range options {
		option(p)
	}
	out := setting("HOLDFAST_OUT", "runs")
	if known[lock] != nil || p.manifest["servers"] != nil {
		folder, err := writeAdapter(filepath.Join(out, "adapters", lock), lock, p)
		if err != nil {
			t.Fatal(err)
		}
		lock = folder
	}
	a, code, err := run(lock, out, p.arguments)
	if code == unavailable {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	return verdictOf(t, a)
}

func setting(name, otherwise string) string { return either(os.Getenv(name), otherwise) }

// Returns an error if nothing was judged, with the exit code of the program.
func run(lock, out string, more []string) (a answer, code int, err error) {
	program := os.Getenv("HOLDFAST_PROGRAM")
	if program == "" {
		if program, err = exec.LookPath("holdfast"); err != nil {
			return a, unavailable, fmt.Errorf("%w; remedy: install holdfast, or set HOLDFAST_PROGRAM to its path", err)
		}
	}
	os.Stat(lock) // so that `go test` does not take an earlier result from its cache when a file has changed
	words := []string{"try", lock, "--json", "--quiet", "--for", setting("HOLDFAST_FOR", "90") + "s", "--out", out}
	if seed := os.Getenv("HOLDFAST_SEED"); seed != "" {
		words = append(words, "--seed", seed)
	}
	var told, complaint bytes.Buffer
	command := exec.Command(program, append(words, more...)...)
	command.Stdout, command.Stderr = &told, &complaint
	var exit *exec.ExitError
	if err = command.Run(); err != nil && !errors.As(err, &exit) {
		return a, 0, fmt.Errorf("%w; remedy: set HOLDFAST_PROGRAM to the program's path", err)
	}
	code = command.ProcessState.ExitCode()
	wrong := json.Unmarshal(told.Bytes(), &a)
	if wrong == nil && a.Grade != nil {
		return a, code, nil
	}
	why := strings.TrimSpace(complaint.String())
	return a, code, errors.New(either(why, either(a.Headline, fmt.Sprintf("%s ended with %d", program, code))))
}

// The folder is kept, because a replay needs it.
func writeAdapter(folder, name string, p *plan) (string, error) {
	if known[name] == nil {
		const remedy = "func TestMain(m *testing.M) { holdfasttest.Main(m, holdfasttest.Locks{%q: ...}) }"
		return "", fmt.Errorf("%s: not in holdfasttest.Locks; remedy: "+remedy, name, name)
	}
	if p.manifest["servers"] == nil {
		return "", fmt.Errorf("%s: its servers are not known; remedy: Try(..., holdfasttest.Servers(\"redis\"))", name)
	}
	slices.Sort(p.can)
	can := slices.Compact(p.can)
	manifest := map[string]any{
		"name":     name,
		"command":  []string{"./lock.test", adapterWord, name, strings.Join(can, " ")},
		"language": "Go",
		"can":      can,
		"paths":    []string{"lock.test"},
	}
	for key, value := range p.manifest {
		manifest[key] = value
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return "", fmt.Errorf("%s: a value of holdfasttest.Key is not JSON: %w", name, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "lock.json"), append(text, '\n'), 0o644); err != nil {
		return "", err
	}
	return folder, copyProgram(filepath.Join(folder, "lock.test"))
}

// `go test` builds in a temporary folder that other users cannot enter, and removes it at the end. If root starts
// holdfast, the lab runs as another user.
func copyProgram(to string) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	from, err := os.Open(own)
	if err != nil {
		return err
	}
	defer from.Close()
	part := to + ".part" // renamed when complete, since a running program cannot be overwritten
	into, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(into, from)
	if err = errors.Join(err, into.Close(), os.Chmod(part, 0o755)); err != nil {
		return err
	}
	return os.Rename(part, to)
}
