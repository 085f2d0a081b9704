#!/usr/bin/env bash
# Builds the site of the documentation with MkDocs (from PyPI): `setup/site.sh [--report FILE] [FOLDER]`.
#
# The site is FOLDER/html, build/site/html without a FOLDER; open index.html. With --report it has that report, a page
# that `holdfast run` wrote, as its sample. Exit: 1 the pages have mistakes, such as a link that leads nowhere; 2 usage;
# 4 MkDocs cannot be installed.
set -uo pipefail
source_dir=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
report=()
if [[ ${1:-} == --report ]]; then
  [[ -f ${2:-} ]] || { echo "site.sh: --report needs a report's file, such as runs/latest/report.html" >&2; exit 2; }
  report=(--report "$2")
  shift 2
fi
folder=$(realpath -m -- "${1:-$source_dir/build/site}")
tools=$source_dir/build/site_tools
wanted=$source_dir/docs/site/requirements.txt

install_tools() {
  python3 -m venv "$tools" && "$tools/bin/pip" --disable-pip-version-check install -q -r "$wanted" &&
    cp -- "$wanted" "$tools/installed.txt"
}

mkdir -p -- "$folder" || exit 4
if ! cmp -s -- "$wanted" "$tools/installed.txt"; then
  install_tools >"$folder/install.log" 2>&1 || {
    echo "site.sh: MkDocs cannot be installed, see $folder/install.log; remedy: apt-get install python3-venv, and" \
      "access to PyPI" >&2
    exit 4
  }
fi
python3 -B "$source_dir/docs/site/pages.py" "$source_dir" "$folder" "${report[@]}" || exit 1
# Not --quiet: it would hide warnings from --strict, too.
export NO_MKDOCS_2_WARNING=1
log=$folder/build.log
"$tools/bin/mkdocs" build --strict --clean --config-file "$folder/mkdocs.yml" >"$log" 2>&1 || {
  grep -E '^(WARNING|ERROR)|Aborted' "$log" >&2
  exit 1
}
echo "the site: $folder/html/index.html"
