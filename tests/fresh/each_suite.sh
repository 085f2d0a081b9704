#!/usr/bin/env bash
# Runs a program of GoogleTest one suite a process, as ./test runs its tests: some look at what a process has but once.
# As many suites run at once as there are processors; each says how long it took, and why it failed. One that failed
# beside another runs once more, alone.
#
#   each_suite.sh COMMAND...     # qemu-aarch64 build/arm64/tests/unit_test
set -uo pipefail
suites=()
while read -r line; do suites+=("$line"); done < <("$@" --gtest_list_tests | sed -n 's/^\([A-Z].*\.\)\( .*\)\?$/\1/p')
((${#suites[@]})) || { echo "FAIL  no suites" && exit 1; }
failed=$(mktemp)
trap 'rm -f -- "$failed"' EXIT

# one_suite SUITE COMMAND...
one_suite() {
  local suite=$1 output
  shift
  if output=$("$@" --gtest_brief=1 --gtest_filter="$suite*" </dev/null 2>&1); then
    echo "PASS  $suite ($SECONDS s)"
  else
    printf '%s\nFAIL  %s (%s s)\n' "$output" "$suite" "$SECONDS"
    echo "$suite" >>"$failed"
  fi
}

for suite in "${suites[@]}"; do
  if (($(jobs -rp | wc -l) >= $(nproc))); then wait -n; fi
  (SECONDS=0 && one_suite "$suite" "$@") &
done
wait
again=$(<"$failed")
: >"$failed"
for suite in $again; do (SECONDS=0 && one_suite "$suite" "$@" | sed '$s/$/ alone/'); done
if [[ -s $failed ]]; then
  echo "FAIL  $(wc -l <"$failed") of ${#suites[@]} suites: $(paste -sd ' ' "$failed")"
  exit 1
fi
echo "PASS  ${#suites[@]} suites"
