#!/usr/bin/env bash
# A step of action.yml: installs FOLDER/holdfast.deb with the servers that it recommends. A MySQL that is there already
# may keep MariaDB out, as on GitHub's own Ubuntu. Such a machine is thrown away after the job, so there MariaDB takes
# MySQL's place; on any other machine nothing is removed, and the doctor says what is missing.
#
# in: FOLDER; RUNNER_ENVIRONMENT, which GitHub sets
set -euo pipefail

. "$GITHUB_ACTION_PATH/setup/release.sh"
. "$GITHUB_ACTION_PATH/setup/packages.sh"
other=$(built_for_another "$FOLDER/holdfast.deb")
if [[ $other ]]; then
  echo "holdfast: this package was built for $other, but this system is $(release_of); remedy:" \
    "give the action a package that setup/package.sh made on such a system, or none" >&2
  exit 4
fi

as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -q -y --no-remove "$FOLDER/holdfast.deb" ||
  "${as_root[@]}" apt-get install -q -y --no-remove --no-install-recommends "$FOLDER/holdfast.deb"
mapfile -t missing < <(missing_packages $(list_packages "$GITHUB_ACTION_PATH/setup/run_packages.txt"))
if ((${#missing[@]})) && [[ ${RUNNER_ENVIRONMENT:-} == github-hosted ]]; then
  echo "holdfast: installing ${missing[*]}, replacing MySQL"
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
fi
holdfast --version
