#!/usr/bin/env bash
# Installs object stores into build/s3: versitygw, built by Go where a new enough one is installed, and moto, an
# emulator, in a Python environment of its own. Neither is started; labs find them there.
set -uo pipefail
source_dir=$(dirname -- "$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")")
place=$source_dir/build/s3
gateway=v1.8.0
emulator=5.2.5
needs_go=1.25

say() { echo "holdfast: $*" >&2; }

go_is_new() {
  local version
  version=$(go env GOVERSION 2>/dev/null) || return 1
  [[ $(printf '%s\n' "$needs_go" "${version#go}" | sort -V | head -n 1) == "$needs_go" ]]
}

mkdir -p -- "$place" || exit 1
if go_is_new; then
  say "building versitygw $gateway, which takes minutes"
  GOBIN=$place GOFLAGS=-buildvcs=false go install "github.com/versity/versitygw/cmd/versitygw@$gateway" || exit 1
else
  say "versitygw is left out: it needs Go $needs_go or newer; remedy: install it, then ./run setup s3"
fi
# Debian's Python: a lab runs as another user, who cannot read one in a home directory.
/usr/bin/python3 -m venv "$place/moto" || exit 1
if ! "$place/moto/bin/pip" install -q --disable-pip-version-check "moto[server,s3]==$emulator"; then
  say "pip could not install moto $emulator; see above"
  exit 1
fi
say "object stores are in $place; try: ./run run scenarios/s3"
