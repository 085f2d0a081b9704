#!/usr/bin/env bash
# A step of action.yml: installs FOLDER/holdfast.deb with the servers that it recommends. A server that is there
# already, as Oracle's on GitHub's own machines, may keep the recommended ones out; then the program comes alone, and
# the doctor says what is missing.
set -euo pipefail

as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -q -y "$FOLDER/holdfast.deb" ||
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "$FOLDER/holdfast.deb"
holdfast --version
