#!/usr/bin/env bash
# Installs seekdb, OceanBase as one process, in a virtual environment of its own: build/oceanbase. Nothing of it is used
# by a lab; setup/oceanbase/serve.sh starts it as a server for --target.
set -uo pipefail
source_dir=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
environment=$source_dir/build/oceanbase
version=1.2.0

python3 -m venv "$environment" || exit 1
if ! "$environment/bin/pip" install -q --disable-pip-version-check --no-deps "pylibseekdb==$version"; then
  echo "holdfast: pip found no pylibseekdb $version for $(python3 -V) on $(uname -m); see above" >&2
  exit 1
fi
echo "holdfast: seekdb is in $environment; start it with: setup/oceanbase/serve.sh FOLDER [PORT]" >&2
