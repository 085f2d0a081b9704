# Sourced by run, for `./run setup`. A kind of server that needs more than run_packages.txt lists it beside its code:
# src/servers/NAME/packages.txt, Debian packages, and src/servers/NAME/setup.sh where packages do not do. Where they
# would start services, src/servers/NAME/around_packages.sh sees to it that they do not.

servers_to_set_up() {
  local list
  for list in "$source_dir"/src/servers/*/packages.txt; do basename -- "$(dirname -- "$list")"; done
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
    folder=$source_dir/src/servers/$name
    missing=()
    if [[ -z ${HOLDFAST_NO_INSTALL:-} ]]; then
      mapfile -t missing < <(missing_packages $(list_packages "$folder/packages.txt"))
    fi
    ((${#missing[@]})) || continue
    around_packages before "$folder" "${missing[@]}"
    (prepare "../src/servers/$name/packages.txt")
    local code=$?
    around_packages after "$folder" "${missing[@]}"
    ((code == 0)) || exit "$code"
  done
}

# set_up_servers NAME...: installs, configures again, since CMake looks for libraries only then, and builds.
set_up_servers() {
  local name
  if (($# == 0)); then
    say "these can be set up (./run setup NAME...): $(servers_to_set_up | paste -sd ' ')"
    return
  fi
  for name; do
    [[ $name =~ ^[a-z_]+$ && -f $source_dir/src/servers/$name/packages.txt ]] ||
      give_up 2 "there is nothing to set up for '$name'; there is for: $(servers_to_set_up | paste -sd ' ')"
  done
  prepare run_packages.txt
  install_for "$@"
  for name; do
    [[ -f $source_dir/src/servers/$name/setup.sh ]] || continue
    bash "$source_dir/src/servers/$name/setup.sh" || give_up 4 "$name could not be set up; see above"
  done
  if is_configured; then touch -- "$source_dir/CMakeLists.txt"; fi
  build_release -DHOLDFAST_TESTS=OFF holdfast
  say "built with: $*; try: ./run doctor"
}
