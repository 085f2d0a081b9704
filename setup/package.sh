#!/usr/bin/env bash
# Builds holdfast and makes a Debian package of it, as FILE: setup/package.sh FILE. What the build needs is installed,
# as by ./run. Standard output is the package's fields.
set -euo pipefail

file=$(realpath -m -- "${1:?which file?}")
source_dir=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
. "$source_dir/setup/prepare.sh"

prepare run_packages.txt package_packages.txt
build_release holdfast -DHOLDFAST_TESTS=OFF
made=$(mktemp -d)
trap 'rm -rf -- "$made"' EXIT
(cd "$source_dir/build/release" && cpack -G DEB -B "$made" >&2)
mkdir -p -- "$(dirname -- "$file")"
mv -- "$made"/holdfast_*.deb "$file"
dpkg-deb -f "$file" Package Version Architecture Depends
