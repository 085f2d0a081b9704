#!/bin/sh
# Installs a library's package into ./node_modules, for node from PATH (18 or later).
#
#   install.sh                    as package-lock.json pins it, with hashes
#   install.sh PACKAGE VERSION    that version, and what else package.json asks for, without hashes of ours
set -eu
for tool in node npm; do
  command -v "$tool" >/dev/null || {
    echo "$tool is missing; remedy: apt-get install nodejs npm" >&2
    exit 4
  }
done
node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || {
  echo "node $(node --version) is too old; remedy: install Node 18 or later" >&2
  exit 4
}
quiet="--no-audit --no-fund --no-update-notifier --ignore-scripts --loglevel=error"
if [ $# -eq 0 ]; then
  exec npm ci $quiet >/dev/null
fi
rm -f package-lock.json
exec npm install $quiet --no-package-lock --save-exact "$1@$2" >/dev/null
