# Sourced by setup/packages.sh and setup/package.sh, and by the steps of action.yml. Finds the release of this system:
# it decides the names of packages, and the system for which a package of holdfast is built.

# release_of [FILE]: debian13, ubuntu24.04. Debian's testing and sid have no number: debianforky.
release_of() { (. "${1:-/etc/os-release}" && printf '%s%s\n' "$ID" "${VERSION_ID:-${VERSION_CODENAME:-}}"); }

# package_name: the file of a package that is built here. A release on GitHub takes no ~ in names of files.
package_name() { printf 'holdfast_%s_%s.deb\n' "$(release_of)" "$(dpkg --print-architecture)"; }

# built_for_another FILE: the release that a package was built for, where that is not this one.
built_for_another() {
  local version built
  version=$(dpkg-deb -f "$1" Version 2>/dev/null)
  built=${version##*\~}
  if [[ $version == *\~* && $built != "$(release_of)" ]]; then printf '%s\n' "$built"; fi
}
