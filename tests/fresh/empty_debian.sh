#!/usr/bin/env bash
# Tries `./run` and `./test` on an empty Debian 12, as its first user would meet it. Needs root, debootstrap and a
# network; takes minutes, so it is started by hand and no part of ./test.
#
#   tests/fresh/empty_debian.sh [--tree FOLDER] [CASE...]
#
# Cases: root, user (with a sudo that asks no password), refusals (no sudo, a sudo that asks, no network, no apt-get:
# each must end with exit 4 and the names of what is missing). All of them by default. --tree: another source tree.
# Each case reaches Debian's packages and nothing else: a test that needs another registry must be skipped by name.
# The empty system is made once, build/fresh/base; each case works on a copy, removed at the end, also after Ctrl-C or a
# failure. Mounts live in a mount namespace that ends with the case: no trap has to undo them.
set -uo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
source_dir=$(readlink -f -- "$here/../..")
. "$here/tree.sh"
. "$here/cases.sh"

tree=$source_dir
cases=()
while (($#)); do
  case $1 in
    --tree) tree=$(readlink -f -- "$2") && shift ;;
    root | user | refusals) cases+=("$1") ;;
    *) echo "usage: $0 [--tree FOLDER] [root] [user] [refusals]" >&2 && exit 2 ;;
  esac
  shift
done
((${#cases[@]})) || cases=(root user refusals)
if (($(id -u) != 0)) || ! command -v debootstrap >/dev/null; then
  echo "empty_debian.sh needs root and debootstrap on this machine" >&2
  exit 4
fi

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
echo "PASS  ${cases[*]} on an empty Debian 12"
