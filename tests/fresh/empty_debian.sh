#!/usr/bin/env bash
# Tries `./run` and `./test` on an empty Debian, as its first user would meet it. Needs root, debootstrap and a network;
# takes minutes, so it is started by hand. ./test --full runs one case of it, `run` on Debian 13.
#
#   tests/fresh/empty_debian.sh [--release CODENAME] [--tree FOLDER] [--or-skip] [CASE...]
#
# Releases: bookworm (Debian 12, the default), trixie (13), forky, sid. Cases; root, user and refusals by default:
#   root, user  `./run` and `./test`; the user has a sudo that asks no password
#   refusals    no sudo, a sudo that asks, no network, no apt-get: each must end with exit 4 and what is missing
#   run         only root's `./run`
#   arm64       built for that, and the unit tests emulated
#   arm64_wheel setup/wheel.sh for that, and its program emulated
#   compilers   built by the release's others
#   package     built, and installed on a second empty system
#   wheel       one made before by setup/wheel.sh, installed by pip, under pytest
#   runners     its program under the test runners of Go, Node and Java
# --tree: another source tree. --or-skip: where root, debootstrap or the mirror is missing, it says so and ends as a
# skipped test.
# Each case but `runners` and `arm64_wheel` reaches Debian's packages and nothing else: a test that needs another
# registry must be skipped by name.
# The empty system is made once a release, build/fresh/base-CODENAME; each case works on a copy, removed at the end,
# also after Ctrl-C or a failure. Mounts live in a mount namespace that ends with the case: no trap has to undo them.
set -uo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
source_dir=$(readlink -f -- "$here/../..")
. "$here/tree.sh"
. "$here/cases.sh"
. "$here/runner_cases.sh"

usage() {
  echo "usage: $0 [--release bookworm|trixie|forky|sid] [--tree FOLDER] [--or-skip]" \
    "[root] [user] [refusals] [run] [arm64] [arm64_wheel] [compilers] [package] [wheel] [runners]" >&2
  exit 2
}

# lacks REASON: this machine cannot try it.
lacks() {
  if [[ $or_skip ]]; then echo "SKIP: needs $1" && exit 77; fi
  echo "empty_debian.sh needs $1" >&2
  exit 4
}

tree=$source_dir
or_skip=
cases=()
use_release bookworm
while (($#)); do
  case $1 in
    --release) use_release "${2:-}" || usage && shift ;;
    --tree) tree=$(readlink -f -- "$2") && shift ;;
    --or-skip) or_skip=1 ;;
    root | user | refusals | run | arm64 | arm64_wheel | compilers | package | wheel | runners) cases+=("$1") ;;
    *) usage ;;
  esac
  shift
done
((${#cases[@]})) || cases=(root user refusals)
(($(id -u) == 0)) || lacks "root: it makes an empty $title"
command -v debootstrap >/dev/null || lacks "debootstrap, not installed; remedy: apt-get install debootstrap"
[[ -d $base ]] || reaches_mirror || lacks "a mirror of Debian's packages that has $release"

failures=0
make_base || exit 5
for name in "${cases[@]}"; do
  copy_base "$name"
  "case_$name"
  remove_copy
done
if ((failures)); then
  echo "FAIL  $failures step(s); logs: $logs"
  exit 1
fi
echo "PASS  ${cases[*]} on an empty $title"
