package holdfasttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Grade is the answer of holdfast about a lock.
type Grade string

// The grades, the best first.
const (
	Safe           Grade = "safe"
	AsSafeAsALease Grade = "as_safe_as_a_lease"
	NotKnown       Grade = "not_known"
	Broken         Grade = "broken"
)

var grades = []Grade{Safe, AsSafeAsALease, NotKnown, Broken}

// Schedule is the shortest sequence of requests that shows a finding.
type Schedule struct {
	Cause, Steps, Again string
}

// Finding is one cause, as in docs/try.schema.json.
type Finding struct {
	Severity, Kind, Story, Cause, Flaw, Again string
	Cases                                     []string
	PromiseBroken                             bool `json:"promise_broken"`
	Schedule                                  Schedule
}

type judged []struct{ Cases []string }

// answer has the fields of `holdfast try --json` that are used here.
type answer struct {
	Lock, Headline, Page, Again string
	Grade                       *struct {
		Word   Grade
		Reason string
	}
	Findings    []Finding
	Safe        judged
	DataDamaged judged `json:"data_damaged"`
	TwoBelieved judged `json:"two_believed"`
	WrongAnswer judged `json:"wrong_answer"`
}

// Verdict is the result for one lock.
type Verdict struct {
	Lock     string
	Grade    Grade
	Reason   string // in whole sentences
	Headline string
	Findings []Finding
	Page     string // the report, an HTML file
	Again    string // the command that repeats the whole
	judged   []string
	t        *testing.T
}

// Case is a scenario that was judged. Story is that of the broken promise that it shows, or empty.
type Case struct {
	Name, Story string
}

func verdictOf(t *testing.T, a answer) *Verdict {
	v := &Verdict{a.Lock, a.Grade.Word, a.Grade.Reason, a.Headline, a.Findings, a.Page, a.Again, nil, t}
	for _, group := range []judged{a.Safe, a.DataDamaged, a.TwoBelieved, a.WrongAnswer} {
		for _, one := range group {
			v.judged = append(v.judged, one.Cases...)
		}
	}
	return v
}

// Meets returns true if the lock has this grade or a better one. Only a broken lock meets Broken.
func (v *Verdict) Meets(grade Grade) bool {
	if grade == Broken {
		return v.Grade == Broken
	}
	return slices.Index(grades, v.Grade) <= slices.Index(grades, grade)
}

// Expect reports each case as a subtest, and fails the test with the story unless the lock meets the grade.
func (v *Verdict) Expect(grade Grade) *Verdict {
	v.t.Helper()
	if !slices.Contains(grades, grade) {
		v.t.Fatalf("%q is not a grade; remedy: one of %v", grade, grades)
	}
	met := v.Meets(grade)
	for _, one := range v.Cases() {
		v.t.Run(one.Name, func(t *testing.T) {
			if one.Story != "" && !met {
				t.Error(one.Story)
			}
		})
	}
	if !met {
		v.t.Fatal(v.Text(grade))
	}
	return v
}

// Text returns the story of each broken promise, and the commands that show it again.
func (v *Verdict) Text(expected Grade) string {
	lines := []string{fmt.Sprintf("%s: expected %s, is %s", v.Lock, expected, v.Grade), v.Headline, v.Reason}
	for _, one := range v.broken() {
		lines = append(lines, "", one.Story)
		if cause := either(one.Schedule.Cause, one.Cause); cause != "" {
			lines = append(lines, "cause: "+cause)
		}
		if one.Schedule.Steps != "" {
			lines = append(lines, one.Schedule.Steps)
		}
		lines = append(lines, "replay: "+either(one.Schedule.Again, one.Again))
	}
	return strings.Join(append(lines, "", "report: "+v.Page, "again: "+v.Again), "\n")
}

// Cases returns all that were judged; those that show a broken promise are first.
func (v *Verdict) Cases() []Case {
	var cases []Case
	seen := map[string]bool{}
	add := func(story string, names []string) {
		for _, name := range names {
			if !seen[name] {
				cases = append(cases, Case{name, story})
			}
			seen[name] = true
		}
	}
	for _, one := range v.broken() {
		add(one.Story, one.Cases)
	}
	add("", v.judged)
	return cases
}

// The other findings are of the kind that no lease alone prevents.
func (v *Verdict) broken() []Finding {
	return slices.DeleteFunc(slices.Clone(v.Findings), func(one Finding) bool { return !one.PromiseBroken })
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
