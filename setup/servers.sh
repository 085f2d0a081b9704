# Sourced by run, for `./run setup`. A kind of server that needs more than run_packages.txt lists it beside its code:
# src/servers/NAME/packages.txt, Debian packages, and src/servers/NAME/setup.sh where packages do not do.

servers_to_set_up() {
  local list
  for list in "$source_dir"/src/servers/*/packages.txt; do basename -- "$(dirname -- "$list")"; done
}

# set_up_servers NAME...: installs, configures again, since CMake looks for libraries only then, and builds.
set_up_servers() {
  local name lists=(run_packages.txt)
  if (($# == 0)); then
    say "these can be set up (./run setup NAME...): $(servers_to_set_up | paste -sd ' ')"
    return
  fi
  for name; do
    [[ $name =~ ^[a-z_]+$ && -f $source_dir/src/servers/$name/packages.txt ]] ||
      give_up 2 "there is nothing to set up for '$name'; there is for: $(servers_to_set_up | paste -sd ' ')"
    lists+=("../src/servers/$name/packages.txt")
  done
  prepare "${lists[@]}"
  for name; do
    [[ -f $source_dir/src/servers/$name/setup.sh ]] || continue
    bash "$source_dir/src/servers/$name/setup.sh" || give_up 4 "$name could not be set up; see above"
  done
  if is_configured; then touch -- "$source_dir/CMakeLists.txt"; fi
  build_release -DHOLDFAST_TESTS=OFF holdfast
  say "built with: $*; try: ./run doctor"
}
