#!/usr/bin/env bash
# Runs a program of GoogleTest one suite a process, as ./test runs its tests: some look at what a process has but once.
#
#   each_suite.sh COMMAND...     # qemu-aarch64 build/arm64/tests/unit_test
set -uo pipefail
suites=() failed=()
while read -r line; do suites+=("$line"); done < <("$@" --gtest_list_tests | sed -n 's/^\([A-Z].*\.\)\( .*\)\?$/\1/p')
((${#suites[@]})) || { echo "FAIL  no suites" && exit 1; }
for suite in "${suites[@]}"; do
  if ! "$@" --gtest_brief=1 --gtest_filter="$suite*" </dev/null; then failed+=("$suite"); fi
done
if ((${#failed[@]})); then
  echo "FAIL  ${#failed[@]} of ${#suites[@]} suites: ${failed[*]}"
  exit 1
fi
echo "PASS  ${#suites[@]} suites"
