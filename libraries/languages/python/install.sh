#!/bin/sh
# Installs a library's package into ./site, for Debian's /usr/bin/python3.
#
#   install.sh                    as requirements.txt pins it, with hashes
#   install.sh PACKAGE VERSION    that version, without hashes of ours
set -eu
/usr/bin/python3 -m pip --version >/dev/null 2>&1 || {
  echo "pip is missing; remedy: apt-get install python3-pip" >&2
  exit 4
}
if [ $# -eq 0 ]; then
  set -- --require-hashes -r requirements.txt
else
  set -- "$1==$2" $(sed -n 's/^# with //p' requirements.txt)
fi
exec /usr/bin/python3 -m pip --disable-pip-version-check --quiet install --root-user-action ignore \
  --target site "$@"
