#!/bin/sh
# For who maintains a library's folder: makes its package-lock.json anew from its package.json, every package with
# version and hash, and without the address of a registry.
#
#   pin.sh ../../redlock
set -eu
cd "$1"
rm -f package-lock.json
exec npm install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund --loglevel=error
