#!/bin/sh
# For who maintains a library's folder: prints its requirements.txt, every package with version and hash.
#
#   pin.sh redis==6.4.0 [MORE...] > ../../redis_py/requirements.txt
#
# A line "# with MORE" in it, written by hand, is what another version of the package needs besides, as a driver.
set -eu
/usr/bin/python3 -m pip --disable-pip-version-check --quiet install --dry-run --ignore-installed --report - "$@" |
  /usr/bin/python3 -c '
import json, sys
for one in json.load(sys.stdin)["install"]:
    meta, archive = one["metadata"], one["download_info"]["archive_info"]
    print(meta["name"] + "==" + meta["version"] + " --hash=sha256:" + archive["hashes"]["sha256"])'
