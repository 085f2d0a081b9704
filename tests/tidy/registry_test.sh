#!/usr/bin/env bash
# The folder is the registry: in a copy of the source tree FOLDER, a kind of server is added as a folder, a lock on it
# as two files, a driver, a fault, a property and a format, each as a file (dummies/), and `holdfast list` names them
# after a plain build. A scenario with the fault is checked by what the fault says of itself. No CMake file is touched.
# Slow: it builds all.
set -euo pipefail
source_dir=$(readlink -f -- "$1")
dummies=$source_dir/tests/tidy/dummies
copy=$(mktemp -d)
trap 'rm -rf -- "$copy"' EXIT

tar -C "$source_dir" --exclude=./build --exclude=./runs --exclude=./.git --exclude=./.cache -c . | tar -C "$copy" -x
launcher=$(command -v ccache || true)
cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DHOLDFAST_UNITY=ON \
  -DHOLDFAST_TESTS=OFF -DHOLDFAST_WERROR=OFF \
  ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher} >/dev/null

listed() {
  if ! cmake --build "$copy/build" --target holdfast >"$copy/build.log" 2>&1; then
    tail -n 40 "$copy/build.log" >&2
    exit 1
  fi
  "$copy/build/holdfast" list --json
}

expect() {
  local wanted=$1 list name
  list=$(listed)
  for name in dummy_server dummy_lock dummy_driver dummy_fault dummy_property dummy_format; do
    if [[ $list == *"\"$name\""* ]]; then seen=yes; else seen=no; fi
    [[ $seen == "$wanted" ]] || { echo "$name: listed: $seen, expected: $wanted" && exit 1; }
  done
}

# The dummy fault's properties follow from its need: a cluster.
scenario() {
  printf '{"locks": ["insert_lease"], %s "faults": [{"fault": "dummy_fault", "at": {"phase": "granted"}%s}],
    "expect": {}}\n' "$1" "$2" >"$copy/dummy.json"
}

refused() {
  local said
  said=$("$copy/build/holdfast" plan "$copy/dummy.json" 2>&1) && { echo "accepted: $(<"$copy/dummy.json")" && exit 1; }
  [[ $said == *"$1"* ]] || { echo "expected: $1; said: $said" && exit 1; }
}

expect_needs_to_count() {
  scenario '"topology": "galera",' ', "target": "server:2"'
  "$copy/build/holdfast" plan "$copy/dummy.json" >/dev/null
  scenario '' ''
  refused "dummy_fault needs a topology whose servers work together: 'galera'"
  scenario '"topology": "galera",' ', "target": "holder"'
  refused "unknown target of dummy_fault 'holder'"
  scenario '"topology": "galera",' ', "until": {"phase": "granted"}'
  refused "dummy_fault ends by itself"
  [[ $("$copy/build/holdfast" schema) == *'"const": "dummy_fault"'* ]] || { echo "no schema of it" && exit 1; }
}

expect no
cp "$dummies/dummy_lock.cpp" "$copy/src/lock/algorithms/"
if cmake -S "$copy" -B "$copy/build" >"$copy/cmake.log" 2>&1; then
  echo "a lock without its texts: it is built" && exit 1
fi
grep -q "algorithms/dummy_lock.md is" "$copy/cmake.log" || { cat "$copy/cmake.log" && exit 1; }
cp "$dummies/dummy_lock.md" "$copy/src/lock/algorithms/"
cp "$dummies/dummy_driver.cpp" "$copy/src/driver/kinds/"
cp -r "$dummies/dummy_server" "$copy/src/servers/"
cp "$dummies/dummy_fault.cpp" "$copy/src/nemesis/faults/"
cp "$dummies"/dummy_property.?pp "$copy/checker/properties/"
cp "$dummies/dummy_format.cpp" "$copy/reports/formats/"
expect yes
# All that speaks of properties does so of the new one, unedited.
said() {
  [[ $("$copy/build/holdfast" "${@:2}") == $1 ]] || { echo "dummy_property: not in '${*:2}'" && exit 1; }
}
said '*"dummy_property"*dummy_kind*' schema scenario
said '*"promises"*"dummy_property"*' list --json
expect_needs_to_count
rm -r "$copy"/{src/{servers,lock/algorithms,driver/kinds,nemesis/faults},checker/properties,reports/formats}/dummy_*
expect no
echo "PASS"
