#!/bin/sh
# Builds a library's adapter with cargo from PATH, and keeps the program: ./lock.
#
#   install.sh                    as Cargo.lock pins it, with checksums
#   install.sh PACKAGE VERSION    that version, and what else Cargo.toml asks for, without checksums of ours
#
# One job at a time: a build is heavy, and need not be fast.
set -eu
command -v cargo >/dev/null || {
  echo "cargo is missing; remedy: apt-get install cargo, or rustup of the Rust project" >&2
  exit 4
}
locked=--locked
if [ $# -ne 0 ]; then
  locked=
  sed -i "s/^$1 = { version = \"=[^\"]*\"/$1 = { version = \"=$2\"/" Cargo.toml
  rm -f Cargo.lock
fi
CARGO_TARGET_DIR=target setpriv --pdeathsig KILL cargo build --quiet --release $locked --jobs 1
cp target/release/lock lock
rm -rf target
