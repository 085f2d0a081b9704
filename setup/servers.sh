# Sourced by run, for `./run setup`. Anything that needs more than run_packages.txt lists it: a kind of server beside
# its code, in src/servers/NAME, all else in setup/NAME. There packages.txt has Debian packages, and setup.sh does the
# rest. If packages would start services, around_packages.sh prevents that.

set_up_lists() { printf '%s\n' "$source_dir"/src/servers/*/packages.txt "$source_dir"/setup/*/packages.txt; }

servers_to_set_up() {
  local list
  set_up_lists | while read -r list; do
    if [[ -f $list ]]; then basename -- "$(dirname -- "$list")"; fi
  done
}

# folder_of NAME: the folder of its packages.txt; empty for an unknown name.
folder_of() {
  local list
  [[ $1 =~ ^[a-z0-9_]+$ ]] || return 0
  set_up_lists | while read -r list; do
    if [[ -f $list && $list == */"$1"/packages.txt ]]; then dirname -- "$list"; fi
  done
}

# around_packages before|after FOLDER PACKAGE...: of those that are missing.
around_packages() {
  local script=$2/around_packages.sh
  if [[ -f $script ]]; then as_administrator bash "$script" "$1" "${@:3}"; fi
}

# install_for NAME...: what their lists have.
install_for() {
  local name folder missing
  for name; do
    folder=$(folder_of "$name")
    missing=()
    if [[ -z ${HOLDFAST_NO_INSTALL:-} ]]; then
      mapfile -t missing < <(missing_packages $(list_packages "$folder/packages.txt"))
    fi
    ((${#missing[@]})) || continue
    around_packages before "$folder" "${missing[@]}"
    (prepare "../${folder#"$source_dir"/}/packages.txt")
    local code=$?
    around_packages after "$folder" "${missing[@]}"
    ((code == 0)) || exit "$code"
  done
}

# set_up_servers NAME...: installs, configures again, since CMake looks for libraries only then, and builds.
set_up_servers() {
  local name folder
  if (($# == 0)); then
    say "available for ./run setup NAME...: $(servers_to_set_up | paste -sd ' ')"
    return
  fi
  for name; do
    folder=$(folder_of "$name")
    [[ $folder ]] ||
      give_up 2 "unknown setup '$name'; available: $(servers_to_set_up | paste -sd ' ')"
  done
  prepare build_packages.txt run_packages.txt
  install_for "$@"
  for name; do
    folder=$(folder_of "$name")
    [[ -f $folder/setup.sh ]] || continue
    bash "$folder/setup.sh" || give_up 4 "$name could not be set up; see above"
  done
  if is_configured; then touch -- "$source_dir/CMakeLists.txt"; fi
  build_release holdfast -DHOLDFAST_TESTS=OFF
  say_what_apparmor_forbids
  say "built with: $*; try: ./run doctor"
}
