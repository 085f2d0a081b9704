# Sourced by test. The last line of a test run, from ctest's own output.

# listed STATES: the names in one of ctest's closing lists, lines such as `12 - checker.sweep (Failed)`.
listed() { sed -n -E "s/^[[:space:]]+[0-9]+ - (.*) \(($1)\)( .*)?\$/\1/p"; }

# summarise STATUS LOG FULL: prints PASS or FAIL and exits. A run of nothing, or of skipped tests only, is no pass.
summarise() {
  local status=$1 log=$2 full=$3 total failed skipped seconds note=
  total=$(sed -n -E 's/.* tests failed out of ([0-9]+)$/\1/p' "$log" | tail -n 1)
  seconds=$(sed -n -E 's/^Total Test time \(real\) = +([0-9]+).*/\1/p' "$log" | tail -n 1)
  mapfile -t failed < <(sed -n '/^The following tests FAILED:/,$p' "$log" | listed '[^()]+')
  skipped=$(sed -n '/^The following tests did not run:/,/^$/p' "$log" | listed 'Skipped|Disabled' | wc -l)
  if [[ -z $full ]]; then note='; ./test --full adds the slow ones'; fi
  echo
  if [[ -z $total || $total == 0 ]]; then
    echo "FAIL  no test ran$note"
    exit 1
  elif ((status)); then
    printf '      %s\n' "${failed[@]}"
    echo "FAIL  ${#failed[@]} of $total tests, named above, in ${seconds:-?} s. Repeat one: ./test -R NAME. Log: $log"
    exit 1
  elif ((skipped >= total)); then
    echo "FAIL  all $total tests were skipped, so nothing was tested"
    exit 1
  fi
  if ((skipped)); then note=" ($skipped skipped, named above)$note"; fi
  echo "PASS  $((total - skipped)) tests in ${seconds:-?} s$note"
}
