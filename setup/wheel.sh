#!/usr/bin/env bash
# Makes a wheel for pip with the program inside: setup/wheel.sh [FOLDER], by default build/wheel. The program needs
# nothing but the C library of the system on which it is built, or a newer one, so build it on the oldest release.
# Installs the packages that the build needs, but no servers. Standard output is the wheel's path.
set -uo pipefail

source_dir=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
. "$source_dir/setup/prepare.sh"
into=$(realpath -m -- "${1:-$source_dir/build/wheel}")
work=$source_dir/build/wheel_parts
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

prepare build_packages.txt wheel_packages.txt
build_release holdfast -DHOLDFAST_TESTS=OFF -DHOLDFAST_STATIC=ON
package=$work/package
rm -rf -- "$package" "$work/made" && mkdir -p -- "$package" "$into" || exit 5
cp -r -- "$source_dir/python/." "$package" || exit 5
cp -- "$source_dir/libraries/languages/python/holdfast_adapter.py" "$package/holdfast/adapter.py" || exit 5
version=$("$build_dir/holdfast" --version | sed 's/^[^0-9]*//')
sed "s/@VERSION@/$version/" "$package/pyproject.toml.in" >"$package/pyproject.toml" || exit 5
copy_licenses "$package/licenses"
log=$work/wheel.log
{
  cmake --install "$build_dir" --prefix "$package/holdfast/program" --strip &&
    rm -rf -- "$package/holdfast/program/share/doc" "$package/holdfast/program/share/man" &&
    { [[ -x $work/tools/bin/auditwheel ]] || python3 -m venv "$work/tools"; } &&
    "$work/tools/bin/pip" install -q --disable-pip-version-check -r "$source_dir/setup/wheel_requirements.txt" &&
    "$work/tools/bin/python" -m pip wheel -q --no-deps --no-build-isolation -w "$work/made" "$package" &&
    "$work/tools/bin/wheel" tags --platform-tag "linux_$(uname -m)" --remove "$work"/made/*.whl &&
    PATH=$work/tools/bin:$PATH "$work/tools/bin/auditwheel" repair -w "$into" "$work"/made/*.whl
} >"$log" 2>&1 || { show_failure "$log" && give_up 5 "no wheel was made; full log: $log"; }
ls -t -- "$into"/holdfast-"$version"-*.whl | head -n 1
