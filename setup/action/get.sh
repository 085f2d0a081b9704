#!/usr/bin/env bash
# A step of action.yml: gets the package of holdfast into FOLDER: that of the release which the action was asked for, or
# else one that is built from the action's own sources.
#
# in: FOLDER; REPOSITORY and REF of the action, empty where it is a folder of the workflow's own repository
set -euo pipefail

. "$GITHUB_ACTION_PATH/setup/release.sh"
name=$(package_name)
if [[ -n $REPOSITORY && $REF == v* ]] && command -v curl >/dev/null; then
  address=${GITHUB_SERVER_URL:-https://github.com}/$REPOSITORY/releases/download/$REF/$name
  if curl --fail --silent --location --output "$FOLDER/holdfast.deb" "$address"; then
    echo "holdfast: the package of release $REF"
    exit 0
  fi
  rm -f "$FOLDER/holdfast.deb"
fi

echo "holdfast: no package of this release for this system; building one"
exec bash "$GITHUB_ACTION_PATH/setup/package.sh" "$FOLDER/holdfast.deb"
