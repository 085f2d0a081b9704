# Sourced by run and test, which set `source_dir`. Installs what is missing and builds; afterwards `program` is the path
# of holdfast. Everything said goes to standard error, the full logs are build/*.log.
#
#   prepare build_packages.txt            # packages, PATH, one builder at a time
#   build_release all -DHOLDFAST_TESTS=ON # configure if needed, then build a target
#
# Exit codes: 4 this machine cannot (packages, permissions), 5 the build failed.

. "$source_dir/setup/say.sh"
. "$source_dir/setup/release.sh"
. "$source_dir/setup/packages.sh"

user_id=$(id -u)
build_dir=$source_dir/build/release
program=$build_dir/holdfast

# A login shell of a normal user has no /usr/sbin, where nft and mariadbd live.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export PATH

trap 'exit 130' INT

# Refuses a URL with a password: between a colon and an @, or, without a host, any port that is not a number. Stars
# stand for a password in the environment.
refuse_passwords() {
  local argument found
  for argument in "$@"; do
    found=
    if [[ $argument =~ ://[^/?#:@]*:([^/?#]+)@ ]]; then
      found=${BASH_REMATCH[1]//\*/}
    elif [[ $argument =~ (mysql|rediss?|postgres|postgresql)://[^]/?#@:[]*:([^/?#@]*) ]]; then
      found=${BASH_REMATCH[2]//[0-9*]/}
    fi
    if [[ $found ]]; then
      give_up 2 "refusing the password in this URL: every user can read command lines (ps)." \
        "Give it as HOLDFAST_TARGET_PASSWORD in the environment, and the URL without it: mysql://user@host/database"
    fi
  done
}

prepare() {
  local lists=("${@/#/$source_dir/setup/}") missing=()
  if [[ -z ${HOLDFAST_NO_INSTALL:-} ]]; then
    mapfile -t missing < <(missing_packages $(list_packages "${lists[@]}"))
  fi
  ((${#missing[@]})) || return 0
  local log=$source_dir/build/install.log
  can_write_build || log=/dev/null
  install_packages "$log" "${missing[@]}"
}

# AppArmor of Ubuntu, from 23.10 on, lets a program make user namespaces, but nothing in them. Said only where it acts:
# an administrator may have allowed it another way.
say_what_apparmor_forbids() {
  local setting=kernel.apparmor_restrict_unprivileged_userns
  [[ $(cat "${HOLDFAST_PROC_SYS:-/proc/sys}/${setting//.//}" 2>/dev/null) == 1 ]] || return 0
  if unshare --user --map-root-user --mount true 2>/dev/null; then return 0; fi
  say "AppArmor forbids the namespaces that each trial needs; allow them, as administrator: sysctl -w $setting=0"
}

can_write_build() {
  mkdir -p -- "$source_dir/build" 2>/dev/null && [[ -w $source_dir/build ]] &&
    { [[ ! -e $build_dir ]] || [[ -w $build_dir ]]; }
}

# Another user's tree that cannot be built in, but whose program is newer than every source, can be used unchanged.
program_is_current() {
  [[ -x $program ]] || return 1
  local folders=() name
  for name in CMakeLists.txt cmake src checker reports sql redis etcd postgres zookeeper s3; do
    if [[ -e $source_dir/$name ]]; then folders+=("$source_dir/$name"); fi
  done
  [[ -z $(find "${folders[@]}" -newer "$program" -print -quit) ]]
}

# A compiler process takes up to 1 GiB; a container may have less than the machine.
build_jobs() {
  local jobs limit available
  jobs=$(nproc 2>/dev/null || echo 1)
  available=$(awk '/^MemAvailable:/ {print int($2 / 1024)}' /proc/meminfo 2>/dev/null)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null)
  if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1048576 < ${available:-0})); then available=$((limit / 1048576)); fi
  if [[ -n $available ]] && ((available / 1280 < jobs)); then jobs=$((available / 1280)); fi
  echo $((jobs > 0 ? jobs : 1))
}

# A cache made for another place (a copied tree) would build the other tree.
is_configured() {
  [[ -f $build_dir/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$source_dir" "$build_dir/CMakeCache.txt" 2>/dev/null
}

configure() {
  local options=("$@") launcher
  is_configured || rm -rf -- "$build_dir"
  if launcher=$(command -v ccache); then options+=("-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"); fi
  cmake -S "$source_dir" -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHOLDFAST_UNITY=ON "${options[@]}"
}

# all_cached OPTION...: whether the build folder already has every option that is ON. The others never force a new
# configuration, so that run and test share one folder.
all_cached() {
  local option
  for option; do
    if [[ $option == *=ON ]] && ! grep -qx "${option#-D}" <(cached_options); then return 1; fi
  done
}

# build_release TARGET OPTION...: configures if needed, then builds. With HOLDFAST_WERROR=ON in the environment (the
# gate) a warning is an error; a user's compiler may be newer and warn of more.
build_release() {
  local target=$1 options=("${@:2}") log=$source_dir/build/release.log status
  if [[ ${HOLDFAST_WERROR:-} == ON ]]; then options+=(-DHOLDFAST_WERROR=ON); fi
  if ! can_write_build; then
    if [[ $target == holdfast ]] && program_is_current; then return 0; fi
    give_up 4 "cannot build in $source_dir/build, which is not yours. Copy the tree to a folder of your own, or" \
      "let its owner (or an administrator) run: chown -R $(id -un) '$source_dir/build'"
  fi
  exec 9<"$source_dir/build"
  flock -n 9 || { say "waiting for another build of this tree" && flock 9; }
  if ! is_configured || ! all_cached "${options[@]}"; then
    say "configuring the build (log: $log)"
    if ! configure "${options[@]}" >"$log" 2>&1 9<&-; then
      show_failure "$log"
      give_up 5 "CMake failed; full log: $log"
    fi
  fi
  cmake --build "$build_dir" --target "$target" -- -j "$(build_jobs)" 2>&1 9<&- | tee "$log" | follow_build
  status=${PIPESTATUS[0]}
  give_back_to_owner
  exec 9<&-
  if ((status)); then
    show_failure "$log"
    give_up 5 "the build failed; full log: $log"
  fi
}

cached_options() { sed -n 's/^\([A-Z_]*\):[A-Z]*=/\1=/p' "$build_dir/CMakeCache.txt"; }

# If root builds in a user's tree, the files must stay writable for that user.
give_back_to_owner() {
  if ((user_id == 0)) && [[ $(stat -c %u -- "$source_dir") != 0 ]]; then
    chown -Rh --reference="$source_dir" -- "$source_dir/build" 2>/dev/null
  fi
  return 0
}
