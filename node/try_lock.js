// Runs `holdfast try`, and reports to the test runner.
'use strict';
const fs = require('fs');
const path = require('path');
const { execFile } = require('child_process');
const { adapterFolder } = require('./adapter_folder.js');
const { NothingRan, Skipped, Verdict } = require('./verdict.js');

const UNAVAILABLE = 4; // exit code: this machine cannot run the lock
const LONGEST_ANSWER = 1 << 28; // bytes

function inPath(name) {
  const files = (process.env.PATH || '').split(':').map((folder) => path.join(folder, name));
  const found = files.find((file) => fs.existsSync(file));
  if (found) return found;
  throw new NothingRan(`${name} is not in PATH; remedy: install it, or set HOLDFAST_PROGRAM to its path`, UNAVAILABLE);
}

function execute(program, words) {
  return new Promise((done) => {
    execFile(program, words, { maxBuffer: LONGEST_ANSWER }, (error, stdout, stderr) => {
      done({ code: error ? error.code : 0, stdout, complaint: stderr.trim() || (error ? error.message : '') });
    });
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function verdictOf(lock, { seconds, seed, out, args }) {
  const program = process.env.HOLDFAST_PROGRAM || inPath('holdfast');
  const found = typeof lock === 'string' ? lock : adapterFolder(lock, path.join(out, 'adapters'));
  const words = ['try', found, '--json', '--quiet', '--for', `${seconds}s`, '--out', out];
  if (`${seed ?? ''}`) words.push('--seed', `${seed}`);
  const { code, stdout, complaint } = await execute(program, [...words, ...args]);
  const told = parsed(stdout);
  if (told.grade) return new Verdict(told);
  throw new NothingRan(complaint || told.headline || `${program} ended with ${code}`, code);
}

let last = Promise.resolve(); // concurrent tries would slow each other down

function inTurn(work) {
  const now = last.then(work);
  last = now.catch(() => {});
  return now;
}

async function tried(lock, options) {
  try {
    return await inTurn(() => verdictOf(lock, options));
  } catch (error) {
    if (error.exitCode !== UNAVAILABLE || !options.t) throw error;
    options.t.skip(error.message);
    return new Skipped(error.message);
  }
}

// Shows each case as a subtest, where the runner has them: node:test.
async function showCases(t, cases, met) {
  for (const [name, story] of t && typeof t.test === 'function' ? Object.entries(cases) : []) {
    await t.test(name, () => {
      if (story && !met) throw new Error(story);
    });
  }
}

// Tries a lock: a file of statements, an adapter's folder, a built-in lock's name, or {module, servers} with more keys
// of lock.json. Paths are relative to the working folder.
//
// `t`: the test's context, for subtests and to skip where this machine cannot run the lock. `seconds`: the time limit.
// `out`: where the reports go. `args`: more arguments of `holdfast try`. Returns a promise of the verdict, whose
// `expect` waits for it: `await tryLock(lock, { t }).expect(grade)`.
function tryLock(lock, options = {}) {
  const { HOLDFAST_FOR, HOLDFAST_SEED, HOLDFAST_OUT } = process.env;
  const usual = { seconds: HOLDFAST_FOR || 90, seed: HOLDFAST_SEED, out: HOLDFAST_OUT || 'runs', args: [] };
  const { t } = options;
  const verdict = tried(lock, { ...usual, ...options });
  verdict.expect = async (grade) => {
    const known = await verdict;
    if (known.grade) await showCases(t, known.cases(), known.meets(grade));
    return known.expect(grade);
  };
  return verdict;
}

module.exports = { tryLock };
