#!/usr/bin/env bash
# Builds the fuzzers and runs each for a while, one a processor side by side. Started by hand, since it takes an hour of
# processor time, and Clang with its runtime libraries (clang-14, libclang-rt-14-dev).
#
#   tests/fuzz/all.sh [SECONDS [FUZZER...]]        each for 400 seconds by default: an hour in all
#
# Prints one line a fuzzer: seconds, those of them on a processor (a busy machine gives few), executions, finds. Learned
# inputs are kept in build/fuzz/learned/FUZZER, finds in build/fuzz/finds/FUZZER. Ends with 1 if there is a find.
set -uo pipefail
source_dir=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
build=$source_dir/build/fuzz
seconds=${1:-400}
shift $(($# ? 1 : 0))
compiler=$(command -v clang++ || command -v clang++-14) || { echo "all.sh needs Clang" >&2 && exit 4; }

# Fuzzer, folder of tests/fuzz/corpus, longest input.
fuzzers=(
  "check_fuzz histories 4096" "input_fuzz inputs 8192" "stored_fuzz stored 16384" "run_folder_fuzz run_folder 16384"
  "adapter_fuzz adapter 8192" "lock_file_fuzz lock_file 8192" "mysql_fuzz mysql 8192" "answer_fuzz answer 4096"
  "wire_fuzz wire 4096" "otlp_fuzz otlp 8192"
)

build_one() {
  [[ -f $build/build.ninja ]] || cmake -S "$source_dir" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
    -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF -DHOLDFAST_UNITY=ON >"$build.log" 2>&1 || return
  ninja -C "$build" "$1" >>"$build.log" 2>&1
}

# run_one FUZZER CORPUS LONGEST
run_one() {
  local learned=$build/learned/$1 finds=$build/finds/$1 log=$build/$1.log begin=$SECONDS used executions count
  mkdir -p "$learned" "$finds"
  TIMEFORMAT='%U %S'
  used=$({ time UBSAN_OPTIONS=print_stacktrace=1 "$build/tests/fuzz/$1" -max_len="$3" -max_total_time="$seconds" \
    -timeout=300 -report_slow_units=300 -rss_limit_mb=6000 -print_final_stats=1 -artifact_prefix="$finds/" "$learned" \
    "$source_dir/tests/fuzz/corpus/$2" >"$log" 2>&1; } 2>&1)
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  count=$(find "$finds" -type f | wc -l)
  echo "$1: $((SECONDS - begin)) s, $(awk '{printf "%.0f", $1 + $2}' <<<"$used") s of them on a processor," \
    "${executions:-unknown} executions, $count finds"
  ((count == 0))
}

mkdir -p "$source_dir/build"
failures=0
built=()
for entry in "${fuzzers[@]}"; do
  (($#)) && [[ " $* " != *" ${entry%% *} "* ]] && continue
  if build_one "${entry%% *}"; then
    built+=("$entry")
  else
    echo "${entry%% *}: was not built; see $build.log" && failures=$((failures + 1))
  fi
done
running=0
for entry in "${built[@]}"; do
  if ((running == $(nproc))); then
    wait -n || failures=$((failures + 1))
    running=$((running - 1))
  fi
  read -r name corpus longest <<<"$entry"
  run_one "$name" "$corpus" "$longest" &
  running=$((running + 1))
done
for ((; running > 0; running--)); do wait -n || failures=$((failures + 1)); done
((failures == 0)) && echo "PASS  no find" || { echo "FAIL  $failures" && exit 1; }
