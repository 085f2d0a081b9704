#!/usr/bin/env bash
# `./run setup mysql` unpacks a MySQL that a lab starts. Slow, and needs the mirror of Debian's packages.
set -uo pipefail
source_dir=$1 program=$2
mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
  awk '$1 == "Debian" {print $2; exit}')
folder=$(mktemp -d) || exit 1
trap 'rm -rf -- "$folder"' EXIT
if ! /usr/lib/apt/apt-helper download-file "${mirror}dists/sid/Release" "$folder/release" >/dev/null 2>&1; then
  echo "SKIP: needs a mirror of Debian's packages that has sid" && exit 77
fi
chmod 755 "$folder"
mkdir -p "$folder/tree/setup" && cp -r "$source_dir/setup/mysql" "$folder/tree/setup/" || exit 1
bash "$folder/tree/setup/mysql/setup.sh" || exit 1
if ls -d "$folder"/tree/build/mysql.* 2>/dev/null; then echo "FAIL: a temporary folder is left" && exit 1; fi
"$program" run "$source_dir/scenarios/quick" --only fenced_lease/none --out "$folder/runs" \
  --server "mysqld=$folder/tree/build/mysql/mysqld" | tee "$folder/said"
grep -q "^PASS  1 of 1 cell as expected *MySQL [0-9]" "$folder/said"
