#!/bin/sh
# Makes the npm package `holdfast`: node/make.sh [FOLDER], by default build/node. Standard output is the package's path.
#
# A project uses it by `npm install --save-dev PATH`. The protocol is the file that all adapters in Node share.
set -eu
command -v npm >/dev/null || {
  echo "make.sh: npm is missing; remedy: apt-get install nodejs npm" >&2
  exit 4
}
here=$(cd "$(dirname "$0")" && pwd)
into=${1:-$here/../build/node}
mkdir -p "$into"
into=$(cd "$into" && pwd)
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
cp "$here"/*.js "$here/package.json" "$here/../libraries/languages/node/holdfast_adapter.js" "$parts"
file=$(cd "$parts" && npm pack --silent --pack-destination "$into")
echo "$into/$file"
