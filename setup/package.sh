#!/usr/bin/env bash
# Builds holdfast and makes a Debian package of it, for the release of the system that it runs on: FILE, or without one
# holdfast_RELEASE_ARCHITECTURE.deb in the current folder (holdfast_debian13_amd64.deb). Installs the packages that the
# build needs, but no servers. Standard output is the package's fields.
set -uo pipefail

source_dir=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
. "$source_dir/setup/prepare.sh"
file=$(realpath -m -- "${1:-$(package_name)}")

prepare build_packages.txt package_packages.txt
build_release holdfast -DHOLDFAST_TESTS=OFF
made=$(mktemp -d) || exit 5
trap 'rm -rf -- "$made"' EXIT
(cd "$build_dir" && cpack -G DEB -B "$made" >&2) || give_up 5 "cpack made no package; see above"
mkdir -p -- "$(dirname -- "$file")" && mv -- "$made"/holdfast_*.deb "$file" || exit 5
say "made ${file##*/}"
dpkg-deb -f "$file" Package Version Architecture Depends
