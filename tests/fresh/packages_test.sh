#!/usr/bin/env bash
# Names of holdfast's dependencies in each release, as a table, and the form of all lists. The name of a holdfast
# package, and the refusal of one for another release.
set -uo pipefail
source_dir=$1
room=$(mktemp -d)
trap 'rm -rf -- "$room"' EXIT
. "$source_dir/setup/release.sh"
. "$source_dir/setup/packages.sh"

failures=0
# same WHAT GOT WANTED
same() {
  [[ $2 == "$3" ]] && return
  printf 'FAIL  %s:\n%s\n      in place of:\n%s\n' "$@"
  failures=$((failures + 1))
}

# called RELEASE LIST NAME...: these names are what the list has there, whatever else is in it.
called() {
  local release=$1 list=$source_dir/$2 name names
  names=$'\n'$(names_for "$release" "$list")$'\n'
  for name in "${@:3}"; do
    [[ $names == *$'\n'"$name"$'\n'* ]] || same "$release, $2" "$(tr '\n' ' ' <<<"$names")" "... $name ..."
  done
}

while read -r release compiler mariadb postgres; do
  called "$release" setup/build_packages.txt "$compiler" cmake libmariadb-dev
  called "$release" setup/run_packages.txt "$mariadb" redis-tools nftables
  called "$release" src/servers/postgres/packages.txt "$postgres" libpq-dev pgbouncer
  called "$release" src/servers/etcd/packages.txt etcd-server
  called "$release" src/servers/zookeeper/packages.txt zookeeper
done <<'TABLE'
debian12     g++     mariadb-server-core       postgresql-15
debian13     g++     mariadb-server-core       postgresql-17
debianforky  g++     mariadb-server-core       postgresql-18
ubuntu22.04  g++-12  mariadb-server-core-10.6  postgresql-14
ubuntu24.04  g++     mariadb-server-core       postgresql-16
ubuntu26.04  g++     mariadb-server-core       postgresql-18
debian14     g++     mariadb-server-core       postgresql
TABLE
same "chromium" "$(for one in debian13 ubuntu24.04; do names_for $one "$source_dir/setup/test_packages.txt"; done |
  grep -c '^chromium$')" 1

# Every line of every list: a name, then RELEASE=NAME of releases in the table.
lists=("$source_dir"/setup/*_packages.txt "$source_dir"/setup/*/packages.txt "$source_dir"/src/servers/*/packages.txt)
known='(debian12|debian13|debianforky|ubuntu22\.04|ubuntu24\.04|ubuntu26\.04)'
package='[a-z0-9][a-z0-9+.-]+(:arm64)?'
same "the form of the lists" "$(sed -E -e 's/#.*//' -e '/^[[:space:]]*$/d' -- "${lists[@]}" |
  grep -vE "^$package( $known=($package|-))*\$")" ""

# The release of a system, from its /etc/os-release.
system() { printf '%s\n' "${@:2}" >"$room/os-release" && same "$*" "$(release_of "$room/os-release")" "$1"; }
system debian13 'ID=debian' 'VERSION_ID="13"' 'VERSION_CODENAME=trixie'
system debianforky 'ID=debian' 'VERSION_CODENAME=forky'
system ubuntu24.04 'NAME="Ubuntu"' 'VERSION_ID="24.04"' 'ID=ubuntu' 'ID_LIKE=debian'
system unknown 'ID=unknown'

same "a package's name" "$(package_name)" "holdfast_$(release_of)_$(dpkg --print-architecture).deb"
# package_of VERSION: a package of nothing, with that version.
package_of() {
  mkdir -p "$room/deb/DEBIAN"
  printf '%s\n' "Package: holdfast" "Version: $1" "Architecture: all" "Maintainer: a test <test@example.org>" \
    "Description: a test" >"$room/deb/DEBIAN/control"
  dpkg-deb --build "$room/deb" "$room/holdfast.deb" >/dev/null
}
package_of "0.1.0~$(release_of)"
same "a package of this release" "$(built_for_another "$room/holdfast.deb")" ""
package_of "0.1.0~debian99"
same "another release's" "$(built_for_another "$room/holdfast.deb")" debian99
package_of "0.1.0"
same "one that does not tell" "$(built_for_another "$room/holdfast.deb")" ""

((failures == 0)) && echo "PASS"
exit $((failures > 0))
