#!/bin/sh
# For who maintains a library's folder: builds what pom.xml says, in a folder of its own, and prints each jar's hash.
#
#   languages/java/pin.sh redisson >redisson/jars.sha256     (in libraries/)
set -eu
from=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$from"/../../"$1"/*.java "$from"/../../"$1"/pom.xml "$from"/*.java "$from"/*.xml "$work"
(cd "$work" && mvn -B -q package >&2 && cd target/lib && LC_ALL=C sha256sum *.jar)
