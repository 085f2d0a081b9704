# Sourced by try_image.sh. The compose file's servers, and holdfast pointed at them from the image.
#
# SERVER_IMAGES=stand-ins builds images that take the same settings as the usual ones, from Debian's packages: what is
# tried then is the compose file, not those images.

compose() { ${COMPOSE:-docker-compose} -p holdfast-try -f "$source_dir/docker/compose.yaml" "$@"; }

case_servers() {
  [[ ${SERVER_IMAGES:-} != stand-ins ]] || make_stand_ins
  try_server mariadb mysql://root@127.0.0.1:13306/holdfast 'insert_lease/pause' quick
  try_server redis redis://127.0.0.1:16379/0 'redis_token/kill' redis
  step "oceanbase says that it was not tried" 0 compose --profile oceanbase config --services
  said "oceanbase_not_tried"
}

# try_server PROFILE TARGET CELL SUITE
try_server() {
  local profile=$1 target=$2 cell=$3 suite=$4
  step "$profile up" 0 compose --profile "$profile" up -d
  wait_healthy "$profile"
  step "$profile as a target" 0 holdfast "${flags[@]}" --network host -e HOLDFAST_TARGET_PASSWORD=holdfast holdfast \
    run "$suite" --only "$cell" --target "$target" --out /runs
  said "as expected"
  step "$profile down" 0 compose --profile "$profile" down --volumes
}

wait_healthy() {
  local id state i
  id=$(compose --profile "$1" ps -q "$1")
  for ((i = 0; i < 60; i++)); do
    state=$("$docker" inspect -f '{{.State.Health.Status}}' "$id" 2>/dev/null)
    [[ $state == healthy ]] && return
    sleep 1
  done
  fail "$1 is not healthy: $state"
  "$docker" logs "$id" 2>&1 | tail -n 10
}

make_stand_ins() {
  export MARIADB_IMAGE=holdfast-try-mariadb REDIS_IMAGE=holdfast-try-redis
  step "stand-in redis" 0 build_stand_in "$REDIS_IMAGE" redis-server redis
  step "stand-in mariadb" 0 build_stand_in "$MARIADB_IMAGE" mariadb-server mariadb
}

# build_stand_in IMAGE PACKAGE ENTRY: an image of a package, and a script from here that starts it.
build_stand_in() {
  local place status
  place=$(mktemp -d)
  cp "$here/stand_in_$3.sh" "$place/entry.sh"
  printf '%s\n' "FROM $base" "ENV DEBIAN_FRONTEND=noninteractive" \
    "RUN apt-get update && apt-get install -y --no-install-recommends $2" \
    "COPY entry.sh /entry.sh" 'ENTRYPOINT ["bash", "/entry.sh"]' >"$place/Dockerfile"
  "$docker" build ${BUILD_ARGUMENTS:-} -t "$1" "$place"
  status=$?
  rm -rf -- "$place"
  return $status
}
