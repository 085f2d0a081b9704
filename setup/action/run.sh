#!/usr/bin/env bash
# A step of action.yml: runs the suite, or merges its shards, and says what came of it in the step's outputs, however it
# ended.
#
# in:  SUITE; ARGUMENTS, further ones; MERGE, a folder with shards, in place of the suite; OUT, the folder for results
# out: verdict, report, cells and other counts (holdfast report --format outputs), exit_code
set -uo pipefail

read -r -a arguments <<<"$ARGUMENTS"
code=0
if [[ -n ${MERGE:-} ]]; then
  holdfast merge "$MERGE" "${arguments[@]}" --out "$OUT" || code=$?
else
  holdfast run "$SUITE" "${arguments[@]}" --out "$OUT" || code=$?
fi

run=$(readlink -f -- "$OUT/latest")
if [[ -e $run/verdict.json ]]; then
  holdfast report "$run" --format outputs >>"$GITHUB_OUTPUT"
  echo "report=$run/report.html" >>"$GITHUB_OUTPUT"
else
  printf 'verdict=error\nexit_code=%s\n' "$code" >>"$GITHUB_OUTPUT"
fi
exit "$code"
