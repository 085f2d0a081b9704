#!/bin/sh
# For who maintains a library's folder: makes its Cargo.lock anew from its Cargo.toml, every crate with version and
# checksum.
#
#   pin.sh ../../rslock
set -eu
cd "$1"
rm -f Cargo.lock
exec cargo generate-lockfile --quiet
