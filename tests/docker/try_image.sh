#!/usr/bin/env bash
# Tries docker/Dockerfile and docker/compose.yaml with a real Docker engine. Needs one that this user may talk to, and
# minutes, so it is started by hand and is not part of ./test.
#
#   tests/docker/try_image.sh [CASE...]        image, flags, quick, try, servers; all of them by default
#
#   BASE=debian:12-slim          base image; one made with debootstrap will do, as `docker import` takes it
#   DOCKER=docker                the client
#   BUILD_ARGUMENTS=             more for `docker build`, such as --network=host
#   SERVER_IMAGES=               "stand-ins": servers from Debian's packages, where the usual registry is out of reach
#
# Each line is PASS or FAIL; what the commands said is in build/docker/. Images stay, containers do not.
set -uo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
source_dir=$(readlink -f -- "$here/../..")
docker=${DOCKER:-docker}
base=${BASE:-debian:12-slim}
logs=$source_dir/build/docker
flags=(--security-opt seccomp=unconfined --security-opt systempaths=unconfined)
failures=0
mkdir -p "$logs"
. "$here/servers.sh"

# step NAME EXIT COMMAND...: runs it, compares its exit code, prints one line with the time.
step() {
  local name=$1 expected=$2 begin=$SECONDS status
  shift 2
  log=$logs/${name// /_}.log
  "$@" >"$log" 2>&1 </dev/null
  status=$?
  if ((status == expected)); then
    echo "PASS  $name ($((SECONDS - begin)) s)"
  else
    fail "$name: exit $status, expected $expected"
    tail -n 15 "$log"
  fi
}

fail() {
  echo "FAIL  $*"
  failures=$((failures + 1))
}

# said TEXT...: each must be in what the last step said.
said() {
  local text
  for text; do grep -qF -- "$text" "$log" || fail "$(basename "$log"): did not say: $text"; done
}

holdfast() { "$docker" run --rm "$@"; }

case_image() {
  step "image" 0 "$docker" build ${BUILD_ARGUMENTS:-} --build-arg "BASE=$base" -f "$source_dir/docker/Dockerfile" \
    -t holdfast "$source_dir"
  step "program" 0 holdfast holdfast --version
}

# Each flag alone is not enough, and is found wanting by name.
case_flags() {
  step "doctor with the flags" 0 holdfast "${flags[@]}" holdfast doctor
  said "OK    this machine can run quick" "faults available here: "
  step "doctor as root" 0 holdfast "${flags[@]}" --user 0 holdfast doctor --needed
  step "doctor with little shared memory" 0 holdfast "${flags[@]}" --shm-size 64k holdfast doctor --needed
  step "doctor without flags" 4 holdfast holdfast doctor
  said "remedy: start the container with ${flags[*]}" "unshare (user namespace): Operation not permitted"
  step "doctor without systempaths" 4 holdfast "${flags[@]:0:2}" holdfast doctor
  said "remedy: start the container with ${flags[*]}" "mount /proc: Operation not permitted"
  step "doctor without seccomp" 4 holdfast "${flags[@]:2:2}" holdfast doctor
  said "remedy: start the container with ${flags[*]}"
  step "doctor in a small container" 4 holdfast "${flags[@]}" --memory 128m holdfast doctor
  said "remedy: give the machine or container more"
}

case_quick() {
  local runs
  runs=$(mktemp -d)
  chmod 777 "$runs"
  step "quick" 0 holdfast "${flags[@]}" -v "$runs:/runs" holdfast
  said "cells as expected"
  tail -n 14 "$log" | head -n 12
  [[ -s $runs/latest/report.html ]] || fail "no report in the volume"
  rm -rf -- "$runs"
}

# A lock of one's own, with nothing but the image: the first file of docs/first_lock.md, and an adapter.
case_try() {
  local work
  work=$(mktemp -d)
  chmod 777 "$work"
  sed -n '/^```sql$/,/^```$/{//!p;};/^```$/q' "$source_dir/docs/first_lock.md" >"$work/my_lock.sql"
  step "try a file of statements" 1 holdfast "${flags[@]}" -v "$work:/work" -w /work holdfast try my_lock.sql --for 45
  said "my_lock: data damaged" "(foreign_release)"
  step "adapter new" 0 holdfast "${flags[@]}" -v "$work:/work" -w /work holdfast adapter new shell my_adapter
  [[ -s $work/my_adapter/lock.json ]] || fail "no adapter in the volume"
  [[ -s $work/runs/latest/report.html ]] || fail "no report in the volume"
  rm -rf -- "$work"
}

cases=("$@")
((${#cases[@]})) || cases=(image flags quick try servers)
for name in "${cases[@]}"; do
  declare -F "case_$name" >/dev/null || { echo "no case '$name'" >&2 && exit 2; }
  "case_$name"
done
((failures == 0)) && echo "PASS  all" || { echo "FAIL  $failures" && exit 1; }
