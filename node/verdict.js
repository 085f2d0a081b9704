// The result for one lock: all that `holdfast try --json` printed (docs/try.schema.json), and a test's questions to it.
'use strict';
const { AssertionError } = require('assert');

const GRADES = ['safe', 'as_safe_as_a_lease', 'not_known', 'broken']; // the best first
const JUDGED = ['safe', 'data_damaged', 'two_believed', 'wrong_answer'];

// The program could not try the lock; the message has the reason and the remedy. `exitCode` is the program's.
class NothingRan extends Error {
  constructor(text, exitCode) {
    super(text);
    this.name = 'NothingRan';
    this.exitCode = exitCode;
  }
}

class Verdict {
  constructor(told) {
    this.told = told;
    this.lock = told.lock;
    this.grade = told.grade.word; // one of GRADES
    this.reason = told.grade.reason; // in whole sentences
    this.headline = told.headline;
    this.findings = told.findings;
    this.page = told.page; // the report, an HTML file
    this.again = told.again; // the command that repeats the whole
  }

  // Returns true if the lock has this grade or a better one. Only a broken lock meets 'broken'.
  meets(grade) {
    if (!GRADES.includes(grade)) throw new TypeError(`${grade} is not a grade; remedy: one of ${GRADES.join(', ')}`);
    if (grade === 'broken') return this.grade === grade;
    return GRADES.indexOf(this.grade) <= GRADES.indexOf(grade);
  }

  // Throws an AssertionError with the story unless the lock meets the grade. Returns this.
  expect(grade) {
    if (this.meets(grade)) return this;
    const message = this.text(grade);
    throw new AssertionError({ message, actual: this.grade, expected: grade, operator: 'expect' });
  }

  // The story of each broken promise, and the commands that show it again.
  text(expected) {
    const lines = [`${this.lock}: expected ${expected}, is ${this.grade}`, this.headline, this.reason];
    for (const one of this.broken()) {
      const { cause = '', steps = '', again = '' } = one.schedule || {};
      lines.push('', one.story);
      if (cause || one.cause) lines.push(`cause: ${cause || one.cause}`);
      if (steps) lines.push(steps);
      lines.push(`replay: ${again || one.again}`);
    }
    return [...lines, '', `report: ${this.page}`, `again: ${this.again}`].join('\n');
  }

  // The findings that break a promise of the lock. The others are of the kind that no lease alone prevents.
  broken() {
    return this.findings.filter((one) => one.promise_broken);
  }

  // {case: story of the broken promise that it shows, or ''} of all that were judged.
  cases() {
    const cases = {};
    const add = (names, story) => names.forEach((name) => (cases[name] = cases[name] || story));
    for (const { cases: names, story } of this.broken()) add(names, story);
    for (const group of JUDGED) for (const { cases: names } of this.told[group]) add(names, '');
    return cases;
  }
}

// Stands for the verdict after the test was skipped.
class Skipped {
  constructor(reason) {
    this.grade = null;
    this.reason = reason;
  }

  expect() {
    return this;
  }

  cases() {
    return {};
  }
}

module.exports = { GRADES, NothingRan, Skipped, Verdict };
