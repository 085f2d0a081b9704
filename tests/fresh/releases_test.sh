#!/usr/bin/env bash
# Which sources an empty Debian gets, for each release that empty_debian.sh knows, on a machine with a Debian 12 of its
# own: a stand-in for apt-get has one. And how empty_debian.sh ends where something is missing.
set -uo pipefail
room=$(mktemp -d)
trap 'rm -rf -- "$room"' EXIT
source_dir=$room fresh=$room/tests/fresh # a tree that has made no base yet
mkdir "$room/tests" && cp -a "$1/tests/fresh" "$fresh"
. "$fresh/tree.sh"

failures=0
# same WHAT GOT WANTED
same() {
  [[ $2 == "$3" ]] && return
  printf 'FAIL  %s:\n%s\n      in place of:\n%s\n' "$@"
  failures=$((failures + 1))
}

mkdir "$room/bin"
cat >"$room/bin/apt-get" <<'PROGRAM'
#!/bin/sh
echo "http://deb.example/debian/ bookworm main|Debian"
echo "http://deb.example/debian/ bookworm-updates main|Debian"
echo "http://deb.example/debian-security/ bookworm-security main|Debian"
echo "http://deb.example/debian/ bookworm-backports main|Debian Backports"
echo "http://elsewhere.example/ bookworm main|Somebody"
PROGRAM
chmod +x "$room/bin/apt-get"
PATH=$room/bin:$PATH

for name in bookworm trixie forky; do
  use_release "$name"
  same "$name" "$(debian_sources)" "deb http://deb.example/debian-security/ $name-security main
deb http://deb.example/debian/ $name main
deb http://deb.example/debian/ $name-updates main"
done
use_release sid
same sid "$(debian_sources)" "deb http://deb.example/debian/ sid main"
same mirror "$(mirror)" http://deb.example/debian/
use_release trixie
same "each release has its own base" "$base $logs $title" "$cache/base-trixie $cache/logs-trixie Debian 13"
use_release buster
same "an unknown release" $? 1

said=$(bash "$fresh/empty_debian.sh" --release buster 2>&1)
same "a release that it does not know, exit" $? 2
same "a release that it does not know" "${said%%:*}" usage
# A machine without root: id says so, as in commands_test.sh.
printf '#!/bin/sh\necho 1000\n' >"$room/bin/id" && chmod +x "$room/bin/id"
said=$(bash "$fresh/empty_debian.sh" --release trixie --or-skip run 2>&1)
same "without root it is skipped, exit" $? 77
same "without root it is skipped" "$said" "SKIP: needs root: it makes an empty Debian 13"
said=$(bash "$fresh/empty_debian.sh" --release trixie run 2>&1)
same "by hand it is refused, exit" $? 4
printf '#!/bin/sh\necho 0\n' >"$room/bin/id"
printf '#!/bin/sh\n' >"$room/bin/debootstrap" && chmod +x "$room/bin/debootstrap"
said=$(bash "$fresh/empty_debian.sh" --release sid --or-skip run 2>&1)
same "without a mirror it is skipped, exit" $? 77
same "without a mirror it is skipped" "$said" "SKIP: needs a mirror of Debian's packages that has sid"

((failures == 0)) && echo "PASS"
exit $((failures > 0))
