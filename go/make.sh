#!/bin/sh
# Makes the Go module `holdfast`: go/make.sh [FOLDER], by default build/go. Standard output is the module's path.
#
# A project uses it by `go mod edit -require=holdfast@v0.1.0 -replace=holdfast=FOLDER`. The protocol is the file that
# all adapters in Go share. Two lines differ here: the package, and the line that diverts standard output, because a
# test program needs it unless holdfast started it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
shared=$here/../libraries/languages/go/holdfast_adapter.go
into=${1:-$here/../build/go}
mkdir -p "$into/holdfasttest"
cp "$here/go.mod" "$into"
cp "$here"/holdfasttest/*.go "$into/holdfasttest"
sed -e 's/^package main$/package holdfasttest/' \
  -e 's/^func init() { os.Stdout = os.Stderr }$/func divertOutput() { os.Stdout = os.Stderr }/' \
  "$shared" >"$into/holdfasttest/holdfast_adapter.go"
for line in 'package holdfasttest' 'func divertOutput() {'; do
  grep -q "^$line" "$into/holdfasttest/holdfast_adapter.go" || {
    echo "make.sh: $shared has no line for '$line'; remedy: change the sed commands of $here/make.sh" >&2
    exit 5
  }
done
(cd "$into" && pwd)
