# Sourced by test. The last line of a test run, from ctest's own output, of one run or of several after one another.

# listed STATES: the names in one of ctest's closing lists, lines such as `12 - checker.sweep (Failed)`.
listed() { sed -n -E "s/^[[:space:]]+[0-9]+ - (.*) \(($1)\)( .*)?\$/\1/p"; }

sum() { awk '{ all += $1 } END { print all + 0 }'; }

# why NAME LOG: the beginning of what a failed test said is wrong, or else the end of all it said.
why() {
  awk -v name="$1" '
    index($0, ": " name " ") && /\*\*\*/ { here = 1; next }
    here && /^ +Start +[0-9]+:|^ *[0-9]+\/[0-9]+ Test +#|^[0-9]+% tests passed/ { exit }
    here && NF { said[++n] = substr($0, 1, 240); if (!at && /Error: |: Failure$/) at = n }
    END {
      if (!at) at = n > 8 ? n - 7 : 1
      for (i = at; i <= n && i < at + 8; ++i) print "        " said[i]
    }' "$2"
}

# summarise STATUS LOG FULL: prints PASS or FAIL and exits. A run of nothing, or of skipped tests only, is no pass.
summarise() {
  local status=$1 log=$2 full=$3 total failed name skipped seconds note=
  total=$(sed -n -E 's/^[0-9]+% tests passed, [0-9]+ tests failed out of ([0-9]+)$/\1/p' "$log" | sum)
  seconds=$(sed -n -E 's/^Total Test time \(real\) = +([0-9]+).*/\1/p' "$log" | sum)
  mapfile -t failed < <(sed -n '/^The following tests FAILED:/,/^Errors/p' "$log" | listed '[^()]+')
  skipped=$(sed -n '/^The following tests did not run:/,/^$/p' "$log" | listed 'Skipped|Disabled' | wc -l)
  if [[ -z $full ]]; then note='; ./test --full adds the slow ones'; fi
  echo
  if ((total == 0)); then
    echo "FAIL  no test ran$note"
    exit 1
  elif ((status)); then
    for name in "${failed[@]}"; do
      echo "      $name"
      if ((${#failed[@]} <= 5)); then why "$name" "$log"; fi
    done
    echo "FAIL  ${#failed[@]} of $total tests, named above, in $seconds s." \
      "Repeat one: ./test ${full:+--full }-R NAME. Log: $log"
    exit 1
  elif ((skipped >= total)); then
    echo "FAIL  all $total tests were skipped, so nothing was tested"
    exit 1
  fi
  if ((skipped)); then note=" ($skipped skipped, named above)$note"; fi
  echo "PASS  $((total - skipped)) tests in $seconds s$note"
}
