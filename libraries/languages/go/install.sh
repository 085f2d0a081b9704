#!/bin/sh
# Builds a library's adapter, ./lock, with Go. The caches are the caller's own; ./lock needs neither them nor Go.
#
#   install.sh                    as go.mod pins it, with the hashes of go.sum
#   install.sh MODULE VERSION     that version, with the hashes of Go's own checksum database, and of the modules in the
#                                 lines `// with` of go.mod, which are released together with it
set -eu
export GOTOOLCHAIN=local GOFLAGS="-mod=readonly -buildvcs=false" CGO_ENABLED=0
need=$(sed -n 's/^go //p' go.mod)
have=$(cd / && go version 2>/dev/null | sed 's/^go version go\([0-9.]*\).*/\1/')
printf '%s\n' "$need" "$have" | sort -CV || {
  echo "Go $need or later is missing${have:+, this is $have}; remedy: put such a Go into PATH" >&2
  exit 4
}
quietly() { # what Go says of its downloads is shown only when it fails
  setpriv --pdeathsig KILL "$@" 2>install.log || { # ends with this script, however that ends
    cat install.log >&2
    exit 1
  }
  rm install.log
}
if [ $# -gt 0 ]; then
  export GOFLAGS="-mod=mod -buildvcs=false"
  sed -i '/ \/\/ indirect$/d' go.mod # else what the pinned version needs would be asked for, too
  modules=
  for module in "$1" $(sed -n 's|^// with ||p' go.mod); do modules="$modules $module@v${2#v}"; done
  quietly go get $modules
fi
quietly go build -o lock .
