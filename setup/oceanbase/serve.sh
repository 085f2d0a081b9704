#!/usr/bin/env bash
# Serves OceanBase (seekdb) until it is ended: setup/oceanbase/serve.sh FOLDER [PORT]. FOLDER is on a disk, since it
# refuses file systems in memory; it takes some 200 MB there, and 1 GB of memory. It listens on all addresses of this
# machine, and any client that reaches the port is root in it: so it starts only with a password,
# HOLDFAST_TARGET_PASSWORD. There is no password until it is set during the start. The database that --target names is
# made first.
set -uo pipefail
folder=${1:?which folder?}
port=${2:-2881}
source_dir=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
python=$source_dir/build/oceanbase/bin/python
[[ -x $python ]] || { echo "holdfast: seekdb is not installed; remedy: ./run setup oceanbase" >&2 && exit 4; }
[[ ${HOLDFAST_TARGET_PASSWORD:-} ]] || {
  echo "holdfast: it listens on all addresses of this machine; remedy: export HOLDFAST_TARGET_PASSWORD=..." >&2
  exit 2
}
mkdir -p -- "$folder" && cd -- "$folder" || exit 1
exec "$python" "$source_dir/setup/oceanbase/serve.py" "$PWD/data" "$port"
