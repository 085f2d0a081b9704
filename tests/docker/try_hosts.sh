#!/usr/bin/env bash
# Runs clients in two containers (docs/hosts.md), as root on Debian 12 with docker.io, python3-redis and redis-tools.
# The containers have this machine's /usr, so no image is needed.
#
#   tests/docker/try_hosts.sh build/release/holdfast
#
# It uses the Docker engine that DOCKER_HOST names, or the usual one, which must be running. Ends with PASS or FAIL;
# containers and image are removed.
set -uo pipefail
program=$(readlink -f -- "${1:?which program?}")
source_dir=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
docker=${DOCKER:-docker}
port=17001
work=$(mktemp -d)
names=(holdfast-left holdfast-right)
image=holdfast-thin

clean() {
  "$docker" rm -f "${names[@]}" >/dev/null 2>&1
  "$docker" rmi "$image" >/dev/null 2>&1
  [[ -f $work/redis.pid ]] && kill "$(cat "$work/redis.pid")"
  rm -r "$work"
}
trap clean EXIT

fail() {
  echo "FAIL  $*"
  exit 1
}

lock_programs() {
  for name in "${names[@]}"; do "$docker" exec "$name" sh -c 'cat /proc/[0-9]*/cmdline'; done | tr '\0' '\n' |
    grep -c '^\./lock\.py$'
}

mkdir "$work/image"
for folder in bin lib lib64 sbin; do ln -s "usr/$folder" "$work/image/$folder"; done
mkdir "$work/image/"{usr,etc,tmp,proc,dev,var,opt}
tar -C "$work/image" -c . | "$docker" import - "$image" >/dev/null || fail "no image could be made"
for name in "${names[@]}"; do
  "$docker" run -d --name "$name" -v /usr:/usr:ro -v /etc:/etc:ro \
    -v "$source_dir/adapters/redis_py:/opt/redis_py:ro" "$image" sleep 3000 >/dev/null || fail "no container"
done
bridge=$("$docker" inspect --format '{{.NetworkSettings.Gateway}}' "${names[0]}")
(exec -a redis-server /usr/bin/redis-check-rdb --port "$port" --bind 127.0.0.1 "$bridge" --protected-mode no \
  --save "" \
  --daemonize yes --pidfile "$work/redis.pid" >/dev/null)
node() { echo "{\"run\": \"$docker exec -i $1\", \"folder\": \"/opt/redis_py\", \"server\": \"$bridge:$port\"}"; }
echo "{\"nodes\": [$(node "${names[0]}"), $(node "${names[1]}")]}" >"$work/hosts.json"
where=(--target "redis://127.0.0.1:$port" --hosts "$work/hosts.json" --out "$work/runs" --seed 5)

quick=("$program" run "$source_dir/scenarios/quick" --lock redis_py --quiet "${where[@]}")
cells=(--only redis_py/none --only redis_py/pause --only redis_py/kill)
"${quick[@]}" "${cells[@]}" || fail "the run"

"${quick[@]}" --only redis_py/pause >/dev/null 2>&1 &
run=$!
for _ in $(seq 100); do
  sleep 0.3
  [[ $(lock_programs) -gt 0 ]] && break
done
[[ $(lock_programs) -gt 0 ]] || fail "no program began in a container"
kill -KILL "$run"
sleep 8
[[ $(lock_programs) -eq 0 ]] || fail "after kill -9 of the run, programs are left in a container"
echo "PASS  none, pause and kill in two containers; nothing is left after kill -9"
