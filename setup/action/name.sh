#!/usr/bin/env bash
# A step of action.yml: says where the package of holdfast is, or is to be, and under which key it is cached.
#
# in:  PACKAGE, a package that the user gives, or empty; RUNNER_TEMP, GITHUB_ACTION_PATH
# out: given=true|false, folder=FOLDER (with holdfast.deb in it in the end), key=KEY
set -euo pipefail

folder=$RUNNER_TEMP/holdfast-package
mkdir -p "$folder"
given=false
if [[ -n $PACKAGE ]]; then
  given=true
  cp -- "$PACKAGE" "$folder/holdfast.deb"
fi

# Hashes all files that the build reads, and the system whose libraries the package is linked with.
sources=$(cd "$GITHUB_ACTION_PATH" && find . -type f \
  -not -path './build/*' -not -path './.git/*' -not -path './runs/*' -print0 |
  LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-32)
. "$GITHUB_ACTION_PATH/setup/release.sh"
{
  echo "given=$given"
  echo "folder=$folder"
  echo "key=holdfast-package-$(release_of)-$(dpkg --print-architecture)-$sources"
} >>"$GITHUB_OUTPUT"
