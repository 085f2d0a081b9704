#!/usr/bin/env bash
# Makes a wheel for pip with the program inside: setup/wheel.sh [--arm64] [FOLDER], by default build/wheel. The program
# needs nothing but the C library of the system on which it is built, or a newer one, so build it on the oldest release.
# Installs the packages that the build needs, but no servers. Standard output is the wheel's path.
#
# --arm64 builds for that processor on another one. Its packages may not fit beside those of the machine's own, so use
# an empty system: tests/fresh/empty_debian.sh arm64_wheel.
set -uo pipefail

source_dir=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
. "$source_dir/setup/prepare.sh"
machine=$(uname -m) lists=(build_packages.txt wheel_packages.txt) options=(-DHOLDFAST_TESTS=OFF -DHOLDFAST_STATIC=ON)
emulator=()
work=$source_dir/build/wheel_parts
if [[ ${1:-} == --arm64 ]]; then
  shift
  machine=aarch64 lists=(wheel_arm64_packages.txt) emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
  options+=("-DCMAKE_TOOLCHAIN_FILE=$source_dir/cmake/arm64.cmake")
  work=$source_dir/build/wheel_parts_arm64
  dpkg --print-foreign-architectures | grep -qx arm64 ||
    give_up 4 "no packages for arm64; remedy, as administrator: dpkg --add-architecture arm64 && apt-get update"
fi
into=$(realpath -m -- "${1:-$source_dir/build/wheel}")
build_dir=$work/program

# The notices of everything that is linked into the program.
copy_licenses() {
  local package
  mkdir -p -- "$1" && cp -- "$source_dir/LICENSE" "$1/holdfast" 2>/dev/null
  for package in libmariadb-dev libssl-dev zlib1g-dev libfmt-dev nlohmann-json3-dev libcli11-dev libstdc++6 \
    libzookeeper-st-dev; do
    cp -L -- "/usr/share/doc/$package/copyright" "$1/$package" ||
      give_up 5 "no licence of $package in /usr/share/doc, which a wheel must carry; remedy: install it with its" \
        "documentation"
  done
}

prepare "${lists[@]}"
build_release holdfast "${options[@]}"
package=$work/package
rm -rf -- "$package" "$work/made" && mkdir -p -- "$package" "$into" || exit 5
cp -r -- "$source_dir/python/." "$package" || exit 5
cp -- "$source_dir/libraries/languages/python/holdfast_adapter.py" "$package/holdfast/adapter.py" || exit 5
version=$("${emulator[@]}" "$build_dir/holdfast" --version | sed 's/^[^0-9]*//')
sed "s/@VERSION@/$version/" "$package/pyproject.toml.in" >"$package/pyproject.toml" || exit 5
copy_licenses "$package/licenses"
log=$work/wheel.log
{
  cmake --install "$build_dir" --prefix "$package/holdfast/program" --strip &&
    rm -rf -- "$package/holdfast/program/share/doc" "$package/holdfast/program/share/man" &&
    { [[ -x $work/tools/bin/auditwheel ]] || python3 -m venv "$work/tools"; } &&
    "$work/tools/bin/pip" install -q --disable-pip-version-check -r "$source_dir/setup/wheel_requirements.txt" &&
    "$work/tools/bin/python" -m pip wheel -q --no-deps --no-build-isolation -w "$work/made" "$package" &&
    "$work/tools/bin/wheel" tags --platform-tag "linux_$machine" --remove "$work"/made/*.whl &&
    PATH=$work/tools/bin:$PATH "$work/tools/bin/auditwheel" repair -w "$into" "$work"/made/*.whl
} >"$log" 2>&1 || { show_failure "$log" && give_up 5 "no wheel was made; full log: $log"; }
ls -t -- "$into"/holdfast-"$version"-*"$machine".whl | head -n 1
