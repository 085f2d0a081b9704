#!/usr/bin/env bash
# Puts Oracle's MySQL server into build/mysql, beside the MariaDB that Debian means by MySQL: the two packages refuse to
# be installed together. The packages of MySQL and of all that it needs, its C library too, are downloaded and unpacked
# there: 60 MB, and 270 MB on the disk. They come from this machine's own sources where those have MySQL (Ubuntu), or
# else from Debian's unstable release, at the mirror that this machine uses; apt checks their signatures.
# build/mysql/mysqld starts the server with its own libraries: holdfast run ... --server mysqld=build/mysql/mysqld
set -uo pipefail
source_dir=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
place=$source_dir/build/mysql
mkdir -p -- "$source_dir/build" && work=$(mktemp -d "$source_dir/build/mysql.XXXXXX") || exit 1
trap 'rm -rf -- "$work"' EXIT

give_up() {
  echo "holdfast: $*" >&2
  exit 1
}

# The server's package in the lists that apt has: a release has one of these names, or none.
mysql_package() {
  apt-cache "$@" search --names-only '^mysql-server-core(-[0-9.]+)?$' | sort -V | tail -n 1 | cut -d' ' -f1
}

debian_mirror() {
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" {print $2; exit}'
}

# An apt of our own: it knows no installed package, so that it names all that the server needs.
private_apt() {
  mkdir -p "$work/lists/partial" "$work/archives/partial"
  : >"$work/status"
  cat >"$work/apt.conf" <<CONF
Dir::State::status "$work/status";
Dir::Cache "$work";
Dir::Cache::archives "$work/archives";
APT::Sandbox::User "$(id -un)";
APT::Install-Recommends "false";
CONF
}

# The private apt has only Debian's unstable release.
use_unstable() {
  local mirror
  mirror=$(debian_mirror)
  [[ $mirror ]] || give_up "this machine's sources have no MySQL, and no mirror of Debian is among them; remedy:" \
    "apt-get update, or unpack a MySQL yourself and name its program: --server mysqld=PATH"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >"$work/sources.list"
  cat >>"$work/apt.conf" <<CONF
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$work/lists";
CONF
  apt-get -c "$work/apt.conf" update >"$work/log" 2>&1 || give_up "$(tail -n 3 "$work/log")"
}

download() {
  apt-get -c "$work/apt.conf" install -y --download-only "$1" >"$work/log" 2>&1 || give_up "$(tail -n 3 "$work/log")"
}

# Perl is for scripts beside the server.
unpack() {
  local archive
  mkdir -p "$work/whole/root"
  for archive in "$work"/archives/*.deb; do
    [[ $(basename -- "$archive") == *perl* ]] && continue
    dpkg-deb -x "$archive" "$work/whole/root" || give_up "$archive could not be unpacked"
  done
}

# A program of another release starts by that release's loader. MySQL wants --no-defaults first, and ours come last.
write_starter() {
  cat >"$work/whole/mysqld" <<'STARTER'
#!/bin/sh
root=$(dirname -- "$(readlink -f -- "$0")")/root
for loader in "$root"/lib64/ld-linux-*.so.* "$root"/usr/lib64/ld-linux-*.so.* "$root"/usr/lib/ld-linux-*.so.*; do
  if [ -x "$loader" ]; then break; fi
done
libraries=$(echo "$root"/usr/lib/*-linux-gnu | tr ' ' :)
exec "$loader" --library-path "$libraries" --argv0 "$root/usr/sbin/mysqld" "$root/usr/sbin/mysqld" "$@" \
  --basedir="$root/usr" --lc-messages-dir="$root/usr/share/mysql" --plugin-dir="$root/usr/lib/mysql/plugin"
STARTER
  chmod +x "$work/whole/mysqld"
}

private_apt
package=$(mysql_package)
if [[ -z $package ]]; then
  use_unstable
  package=$(mysql_package -c "$work/apt.conf")
  [[ $package ]] || give_up "Debian's unstable release has no MySQL today; remedy: name a program of your own," \
    "--server mysqld=PATH"
fi
download "$package"
unpack
write_starter
version=$("$work/whole/mysqld" --no-defaults --version) || give_up "the server that was unpacked does not start"
rm -rf -- "$place" && mv -- "$work/whole" "$place" || exit 1
echo "holdfast: $place has MySQL ${version#*Ver }; use it: --server mysqld=$place/mysqld" >&2
