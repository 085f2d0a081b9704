#!/usr/bin/env bash
# Builds the tree with sanitizers and runs the tests and a few quick cells with it: real labs, clients and server.
#
#   tests/sanitizers.sh asan|tsan|all
#
# asan: address, undefined behaviour, leaks; tsan: threads. A report of any process (runner, lab, client, test) fails
# it, also of one whose exit code nobody sees, since every report goes to a file in build/NAME/reports. It first shows
# that it can fail: each planted error must leave such a file. Ends with PASS or FAIL; the logs are build/NAME/*.log.
#
# A program of asan has 140 MB of descriptions with addresses in them. It is linked to lie at a fixed address (-no-pie),
# else each of thousands of processes would begin with writing them all.
#
# Left out: tests that run no sanitized code (rules of the tree, the mutants' own builds, the browser, the clock
# library), program.schema (it starts the program a thousand times; tests/artifact reads the same refusals),
# program.starved_holder (starves a process by the clock), program.first_lock (its page's commands have a time limit),
# limits memory, of which a sanitizer takes several times as much, and histories.crowds (more than ten minutes of the
# loop that histories.verdicts runs, too). tsan also leaves out what runs in one thread (pages, formats, usage, the
# checker's histories), what runs the same threads as other tests do (planted bugs, adapters, attacks, suites), and what
# enters a namespace of users (PostgreSQL's start; the label enters_lab), which is closed to a process with a second
# thread: the sanitizer has one. Nor is there vfork in it, only fork.
set -uo pipefail
source_dir=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
kinds=("$@")
if (($# == 0)) || [[ $1 == all ]]; then kinds=(asan tsan); fi
jobs=${HOLDFAST_JOBS:-2}
left_out='^(tidy|fresh|lint|mutants|preload|Browser)\.|^program\.(first_lock|schema|starved_holder)$'
left_out+='|^histories\.crowds$|^program\.(false_server|resource_limits)\.[A-Za-z]*\.test_(endless_|memory_limit_is)'
not_tsan='^(adapters|attack|checker|docs|formats|histories|package|planted)\.' # CMake's expressions take ten groups
not_tsan+='|^VdsoClockTest\.AParentInVfork'
not_tsan+='|^program\.(completion|connection_cut|document_rules|false_server|generated_suite|libraries)\.'
not_tsan+='|^program\.resource_limits\.'
not_tsan+='|^program\.(adapter_page|check|explore_causes|untrusted_run_folder|formats|hostile_size|lock_file'
not_tsan+='|locks|merge|hidden_password|planted_names|postgres|refused_calls|report|failing_calls|sql|usage)$'
cells=('insert_lease/*' 'fenced_lease/*' 'leader_version_cas/none')
failures=()

fail() {
  failures+=("$*")
  echo "      $*"
}

# Reports are named by pid, and pids of labs are alike: one overwrites another at worst, but none gets lost.
use_reports() {
  reports=$1
  rm -rf -- "$reports"
  mkdir -p -- "$reports"
  chmod 1777 -- "$reports" # the tests start the program as another user, too
  local shared="log_path=$reports/report:exitcode=66"
  export HOLDFAST_REPORTS=$reports # which a lab leaves writable
  export ASAN_OPTIONS="$shared:detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1"
  export UBSAN_OPTIONS="$shared:print_stacktrace=1"
  export TSAN_OPTIONS="$shared:halt_on_error=1:second_deadlock_stack=1"
}

# planted ERROR FLAGS...: the error must end the program and leave a report.
planted() {
  local name=$1 program
  shift
  program=$build/planted_$name
  use_reports "$build/planted"
  "${CXX:-c++}" -std=c++20 -g1 "$@" "$source_dir/tests/sanitizers/planted/$name.cpp" -o "$program" ||
    fail "$kind: the planted $name does not compile"
  "$program" >/dev/null 2>&1 && fail "$kind: the planted $name ends well"
  reports_in "$reports" >/dev/null || fail "$kind: no report of the planted $name"
}

# reports_in FOLDER...: what sanitizers said, wherever it went. False when there is nothing.
reports_in() { grep -rlE 'Sanitizer|runtime error:' --include='report.*' --include='*.log' -- "$@" 2>/dev/null; }

check_planted() {
  if [[ $kind == asan ]]; then
    # Static, as in the preset: the shared libubsan writes to standard error whatever log_path says.
    local flags=(-fsanitize=address,undefined -fno-sanitize-recover=all -static-libasan -static-libubsan)
    planted heap "${flags[@]}"
    planted leak "${flags[@]}"
    planted overflow "${flags[@]}"
  else
    planted race -fsanitize=thread
  fi
}

# Every kind of process in a cell must be able to tell of a leak: the pool of trials, pid 1 of the lab, runner, clients.
check_leaks_everywhere() {
  local library=$build/leak_in_every_process.so bytes
  use_reports "$build/planted"
  "${CXX:-c++}" -std=c++20 -shared -fPIC "$source_dir/tests/sanitizers/planted/leak_in_every_process.cpp" \
    -o "$library" || fail "$kind: the planted leak_in_every_process does not compile"
  # The lab that is tried first leaks, too; it must not end the trial for that.
  ASAN_OPTIONS="$ASAN_OPTIONS:exitcode=0" \
    LD_PRELOAD=$library "$build/holdfast" run "$source_dir/scenarios/quick" --only insert_lease/none --seed 7 --quiet \
    --out "$build/planted_runs" >/dev/null 2>&1
  for bytes in 1001 1002 1003 1004; do
    grep -rqs "leak of $bytes byte" "$reports" || fail "$kind: no report of the leak of $bytes bytes ($library)"
  done
}

build_it() {
  local launcher options=()
  if launcher=$(command -v ccache); then options+=("-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"); fi
  { cmake -S "$source_dir" --preset "$kind" "${options[@]}" && nice -n 15 cmake --build "$build" -- -j "$jobs"; } \
    >"$build/build.log" 2>&1 && return
  fail "$kind: the build failed: $build/build.log"
  return 1
}

# run_some NAME JOBS WORDS...: the tests that ctest's words choose; those that start trials have many processes each.
run_some() {
  local log=$build/$1.log side_by_side=$2
  shift 2
  nice -n 15 ctest --test-dir "$build" -j "$side_by_side" --no-tests=error --output-on-failure --timeout 900 "$@" \
    >"$log" 2>&1 || fail "$kind: tests failed: $log"
}

run_tests() {
  local without=$left_out labels='slow|as_user' trials='^(program|adapters|planted)\.'
  if [[ $kind == tsan ]]; then without+="|$not_tsan" labels+='|enters_lab'; fi
  run_some trials "$jobs" -LE "^($labels)\$" -R "$trials" -E "$without"
  run_some tests $((jobs * 3)) -LE "^($labels)\$" -E "$without|$trials"
}

# Quick cells as they are: the sanitized program is slow, so a verdict may be undecided; a broken harness may not be.
run_cells() {
  local only=() cell status
  for cell in "${cells[@]}"; do only+=(--only "$cell"); done
  nice -n 15 "$build/holdfast" run "$source_dir/scenarios/quick" "${only[@]}" --seed 7 --jobs "$jobs" --quiet \
    --out "$build/runs" >"$build/cells.log" 2>&1
  status=$?
  ((status == 0 || status == 3)) || fail "$kind: cells ended with $status: $build/cells.log"
}

sanitize() {
  kind=$1 build=$source_dir/build/$1
  mkdir -p -- "$build"
  check_planted
  build_it || return
  if [[ $kind == asan ]]; then check_leaks_everywhere; fi
  rm -rf -- "$build/runs"
  use_reports "$build/reports"
  run_tests
  run_cells
  local found
  if found=$(reports_in "$reports" "$build/runs"); then
    fail "$kind: sanitizers complain: ${found//$'\n'/ }"
  fi
}

for kind in "${kinds[@]}"; do
  [[ $kind == asan || $kind == tsan ]] || { echo "usage: tests/sanitizers.sh asan|tsan|all" >&2 && exit 2; }
  sanitize "$kind"
done
if ((${#failures[@]})); then
  echo "FAIL  ${#failures[@]} finding(s), named above"
  exit 1
fi
echo "PASS  ${kinds[*]}: tests and cells without a report"
