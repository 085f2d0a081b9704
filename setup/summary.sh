# Sourced by test. The last lines of a test run, from ctest's own output, of one run or of several after one another.

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

# reasons SAID NAME...: reasons for skipped tests, grouped by reason. SAID has the output of each test, as ctest keeps
# it (LastTest.log): a script prints `SKIP: REASON`, unittest `test_name (...) ... skipped 'REASON'`, and GoogleTest has
# the reason below `FILE:LINE: Skipped`. If only a part of a test was skipped, that part is named.
reasons() {
  local said=$1
  shift
  printf '%s\n' "$@" | awk '
    function keep(reason,  whole) {
      whole = name (part == "" || index(name, part) ? "" : " " part)
      if ((reason, whole) in kept) return
      kept[reason, whole] = said[name] = 1
      if (!(reason in names)) order[++reasons] = reason
      names[reason] = names[reason] (names[reason] == "" ? "" : ", ") whole
    }
    NR == FNR { skipped[$0] = 1; list[++tests] = $0; next }
    / Testing: / { name = $0; sub(/^.* Testing: /, "", name); part = ""; here = name in skipped; next }
    !here { next }
    below { keep($0); below = 0; next }
    /^test_[a-zA-Z0-9_]+ \(/ { part = $1 }
    /^\[ RUN +\] / { part = $4 }
    /^SKIP: / { keep(substr($0, 7)) }
    /: Skipped$/ { below = 1 }
    match($0, /\.\.\. skipped ["\047]/) { keep(substr($0, RSTART + RLENGTH, length - RSTART - RLENGTH)) }
    END {
      for (i = 1; i <= tests; ++i) { name = list[i]; part = ""; if (!(name in said)) keep("it gives no reason") }
      for (i = 1; i <= reasons; ++i) print "SKIP  " order[i] "\n" names[order[i]]
    }' - "$said" | fold -s -w 112 | sed '/^SKIP  /!s/^/      /'
}

# summarise STATUS LOG SAID FULL: prints the skipped tests, then PASS or FAIL, and exits. A run of no tests, or of
# skipped tests only, is not a pass.
summarise() {
  local status=$1 log=$2 said=$3 full=$4 total failed name skipped seconds note=
  total=$(sed -n -E 's/^[0-9]+% tests passed, [0-9]+ tests failed out of ([0-9]+)$/\1/p' "$log" | sum)
  seconds=$(sed -n -E 's/^Total Test time \(real\) = +([0-9]+).*/\1/p' "$log" | sum)
  mapfile -t failed < <(sed -n '/^The following tests FAILED:/,/^Errors/p' "$log" | listed '[^()]+')
  mapfile -t skipped < <(sed -n '/^The following tests did not run:/,/^$/p' "$log" | listed 'Skipped|Disabled')
  if [[ -z $full ]]; then note='; ./test --full adds the slow ones'; fi
  echo
  if ((${#skipped[@]})); then reasons "$said" "${skipped[@]}"; fi
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
  elif ((${#skipped[@]} >= total)); then
    echo "FAIL  all $total tests were skipped, so nothing was tested"
    exit 1
  fi
  if ((${#skipped[@]})); then note=" (${#skipped[@]} skipped, named above)$note"; fi
  echo "PASS  $((total - ${#skipped[@]})) tests in $seconds s$note"
}
