#!/bin/sh
# For who maintains a library's folder: makes its go.mod and go.sum anew, in the working directory.
#
#   cd ../../go_redsync && ../languages/go/pin.sh github.com/go-redsync/redsync/v4@v4.18.1 [MORE...]
set -eu
kit=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$PWD")
together=$(sed -n '\|^// with |p' go.mod 2>/dev/null || true) # for install.sh
rm -f go.mod go.sum
cp "$kit/holdfast_adapter.go" .
trap 'rm -f holdfast_adapter.go' EXIT
export GOTOOLCHAIN=local
go mod init "holdfast/$name"
go mod edit -go=1.21 # the oldest that the kit compiles with; the library's own raise it
go get "$@"
go mod tidy
if [ -n "$together" ]; then sed -i "1i $together" go.mod; fi
