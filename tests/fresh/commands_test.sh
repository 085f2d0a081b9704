#!/usr/bin/env bash
# ./run and ./test with stand-ins for what they call (stand_ins.sh): what they print where, and how they end.
set -uo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
source_dir=$1
room=$(mktemp -d)
trap 'rm -rf -- "$room"' EXIT
. "$here/stand_ins.sh"

failures=0
fail() {
  echo "FAIL  $case_name: $*"
  sed 's/^/      /' "$room/out" "$room/err"
  failures=$((failures + 1))
}

# try NAME EXIT [VARIABLE=VALUE...] COMMAND...: in the folder $room/elsewhere, with no terminal.
try() {
  case_name=$1
  local expected=$2 status
  shift 2
  (cd "$room/elsewhere" &&
    env -u HOLDFAST_NO_INSTALL -u HOLDFAST_WERROR PATH="$room/bin:$PATH" STAND_INS="$room" "$@") \
    </dev/null >"$room/out" 2>"$room/err"
  status=$?
  ((status == expected)) || fail "exit $status, expected $expected"
}
prints() { [[ $(<"$room/out") == "$1" ]] || fail "standard output is not: $1"; }
says() { grep -qF -- "$1" "$room/err" || fail "does not say: $1"; }
ends_with() { [[ $(tail -n 1 "$room/out") == $1 ]] || fail "the last line is not: $1"; }
# lists SKIPPED NAMES: two lines of standard output, one below the other.
lists() { [[ $(<"$room/out") == *$'\n'"$1"$'\n'"      $2"$'\n'* ]] || fail "does not list: $1: $2"; }
called() { grep -qE -- "$1" "$room/calls" || fail "did not call: $1"; }
not_called() { ! grep -qE -- "$1" "$room/calls" || fail "called: $1"; }

new_tree "a tree"
run=$tree/run test=$tree/test

try "arguments pass through, output is the program's alone" 0 "$run" list --json "two words"
prints $'list\n--json\ntwo words'
says "configuring"
called '^cmake .*-DHOLDFAST_TESTS=OFF'
not_called '^(sudo|apt-get)'
try "a second start is silent" 0 "$run" list
[[ ! -s $room/err ]] || fail "says something"
try "no argument means the quick scenarios" 0 "$run"
prints $'run\n'"$tree/scenarios/quick"
try "from the tree itself the path is short" 0 bash -c 'cd "$0" && ./run' "$tree"
prints $'run\nscenarios/quick'
try "by a link from elsewhere" 0 bash -c 'ln -sf "$0" link && ./link x' "$run"
prints x
try "the program's exit code is passed on" 3 PROGRAM_EXIT=3 "$run" x
try "administrators' folders are in the path" 0 SHOW_PATH=1 "$run" x
grep -q ':/usr/sbin' "$room/out" || fail "no /usr/sbin"

mkdir -p "$room/sys/kernel"
apparmor=$room/sys/kernel/apparmor_restrict_unprivileged_userns
echo 1 >"$apparmor"
try "AppArmor's ban is said with the command that lifts it" 0 HOLDFAST_PROC_SYS="$room/sys" UNSHARE_EXIT=1 "$run" x
says "as administrator: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
prints x
try "where AppArmor allows it to this user, nothing is said" 0 HOLDFAST_PROC_SYS="$room/sys" "$run" x
[[ ! -s $room/err ]] || fail "says something"
echo 0 >"$apparmor"
try "where the setting is off, nothing is tried" 0 HOLDFAST_PROC_SYS="$room/sys" UNSHARE_EXIT=1 "$run" x
[[ ! -s $room/err ]] || fail "says something"
not_called '^unshare'

try "in the gate warnings are errors, and the tree is configured for it" 0 HOLDFAST_WERROR=ON "$run" x
says "configuring"
called '^cmake .*-DHOLDFAST_WERROR=ON'
try "where warnings are errors already, nothing is configured" 0 HOLDFAST_WERROR=ON "$run" x
[[ ! -s $room/err ]] || fail "says something"

try "a failing build" 5 BUILD_EXIT=1 "$run" x
says "error: no such thing"
says "the build failed; full log: $tree/build/release.log"
prints ""
mv "$tree" "$room/moved tree"
tree="$room/moved tree" run="$room/moved tree/run" test="$room/moved tree/test"
try "a moved tree is configured anew" 0 "$run" x
says "configuring"
rm -r "$tree/build"
try "a failing configuration" 5 CONFIGURE_EXIT=1 "$run" x
says "CMake failed"

echo cmake >"$room/missing"
try "root installs what is missing" 0 "$run" x
called '^apt-get .* update'
called '^apt-get .* install .*--no-remove.* cmake$'
says "installing 1 Debian package(s)"
prints x
echo cmake >"$room/missing"
try "a user installs by sudo" 0 AS_USER=1 "$run" x
called '^sudo env DEBIAN_FRONTEND=noninteractive apt-get .* install'
printf 'cmake\nnftables\n' >"$room/missing"
try "sudo wants a password, no terminal" 4 AS_USER=1 SUDO_ASKS=1 setsid -w "$run" x
says "Missing: cmake nftables"
says "apt-get update && apt-get install -y --no-install-recommends cmake nftables"
says "wants a password"
try "apt-get fails" 4 APT_EXIT=100 "$run" x
says "Missing: cmake nftables"
says "E: no network"
try "the check can be skipped" 0 HOLDFAST_NO_INSTALL=1 "$run" x
not_called '^(dpkg-query|apt-get)'
: >"$room/missing"

echo cmake >"$room/missing"
try "a package, with what its build needs, and no server" 0 "$tree/setup/package.sh"
called '^apt-get .* install .* cmake$'
not_called 'mariadb-server'
prints "Package: holdfast"
says "made holdfast_"
[[ $(cat "$room"/elsewhere/holdfast_*.deb) == "a package" ]] || fail "there is no such file"
try "a package as a file of a name of one's own" 0 "$tree/setup/package.sh" "$room/a folder/mine.deb"
[[ -s "$room/a folder/mine.deb" ]] || fail "there is no such file"
try "a package that does not build" 5 BUILD_EXIT=1 "$tree/setup/package.sh"
says "error: no such thing"

try "the tests pass" 0 "$test"
called '^cmake .*-DHOLDFAST_TESTS=ON'
called '^ctest .*-LE \^\(slow\|'
ends_with "PASS  3 tests in 12 s; ./test --full adds the slow ones"
try "run after test leaves the tests on" 0 "$run" x
not_called 'HOLDFAST_TESTS'
try "all of them, the slow ones last" 0 "$test" --full
called '^ctest .*-LE ..slow'
[[ $(grep '^ctest ' "$room/calls" | tail -n 1) == *' -L ^slow$ '* ]] || fail "did not call the slow ones last"
ends_with "PASS  6 tests in 24 s"
try "arguments go to ctest" 0 "$test" -R checker
called '^ctest .*-R checker'
try "the build server's command" 0 "$tree/.ci/run"
ends_with "PASS *"
try "a failing test" 1 CTEST=failing "$test"
ends_with "FAIL  1 of 3 tests, named above*"
grep -q '^ *checker.sweep$' "$room/out" || fail "does not name the test"
try "no test at all" 1 CTEST=none "$test"
ends_with "FAIL  no test ran*"
try "nothing but skipped tests" 1 CTEST=skipped "$test"
ends_with "FAIL  all 3 tests were skipped*"
lists 'SKIP  needs npm, which "is away"' "a.b test_one"
lists "SKIP  this kernel has no clock" "Some.Case"
lists "SKIP  it gives no reason" "silent.test"
try "some skipped tests, of one reason" 0 CTEST=some_skipped "$test"
lists 'SKIP  needs npm, which "is away"' "a.b test_one, a.c"
[[ $(grep -c '^SKIP' "$room/out") == 1 ]] || fail "does not name one reason"
ends_with "PASS  1 tests in 12 s (2 skipped, named above)*"
try "what root runs as a normal user, too" 0 "$test" --full
not_called '^ctest .*as_user'
try "a user's run leaves out what root's runs as a user" 0 AS_USER=1 "$test" --full
called '^ctest .*-LE \^\(slow\|as_user\)\$'
called '^ctest .*-L \^slow\$ -LE \^as_user\$'
try "tests that do not build" 5 BUILD_EXIT=1 "$test"
not_called '^ctest'

((failures == 0)) && echo "PASS"
exit $((failures > 0))
