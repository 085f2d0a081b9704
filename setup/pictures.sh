#!/usr/bin/env bash
# Makes the pictures of docs/pages.md from real runs, in about eight minutes: `setup/pictures.sh [FOLDER]`.
#
# The runs stay in FOLDER, build/pictures without one; the pictures replace those in docs/pictures. It needs the built
# program and Chromium. Exit: 1 a page was not written, 2 usage, 4 something is missing.
set -uo pipefail
source_dir=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
folder=$(realpath -m -- "${1:-$source_dir/build/pictures}")
program=$source_dir/build/release/holdfast
[[ $# -le 1 ]] || { echo "usage: setup/pictures.sh [FOLDER]" >&2; exit 2; }
[[ -x $program ]] || { echo "pictures.sh: there is no $program; remedy: ./run doctor, which builds it" >&2; exit 4; }
mkdir -p -- "$folder" && cd -- "$folder" || exit 4
ln -sfn -- "$source_dir/scenarios" scenarios
PATH=$(dirname -- "$program"):$PATH

# page KIND FILE ARGUMENT...: runs holdfast, whose exit code is that of the locks, and keeps the page FILE of its run.
page() {
  local kind=$1 file=$2
  shift 2
  rm -f -- "$kind.html"
  holdfast "$@" --out runs -q >>holdfast.log 2>&1
  cp -- "runs/latest/$file" "$kind.html" && return
  echo "pictures.sh: no page of holdfast $*; see $folder/holdfast.log" >&2
  exit 1
}

rm -rf -- runs holdfast.log
# The lock of docs/lock_file.md, but its release forgets the owner.
sed -n '/^```sql$/,/^```$/{/^```/d;p};/^The same on Redis/q' "$source_dir/docs/lock_file.md" |
  sed 's/ AND owner = @owner AND token = @token;$/;/' >my_lock.sql
page run report.html run scenarios/quick --seed 5
first=$(readlink -f runs/latest)
page try report.html try my_lock.sql --seed 7
page explore report.html explore my_lock.sql --budget 30s
page compare compare.html compare fenced_lease insert_lease get_lock --scenario scenarios/quick/pause.json --seed 5
page envelope envelope.html compare fenced_lease get_lock --envelope pause --seed 5
page curve curve.html curve redis_token --fault pause --seed 5
page run_again report.html run scenarios/quick --seed 6
holdfast report "$(readlink -f runs/latest)" --against "$first" >>holdfast.log 2>&1
cp -- runs/latest/against.html two_runs.html || exit 1
holdfast soak scenarios/quick --for 60s --seed 5 --out runs -q >>holdfast.log 2>&1
holdfast report runs >>holdfast.log 2>&1
cp -- runs/index.html index.html || exit 1
python3 -B "$source_dir/docs/site/pictures.py" "$source_dir/docs/pictures" \
  run try explore compare envelope curve two_runs index
