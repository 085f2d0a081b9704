#!/usr/bin/env bash
# as_user.sh TREE COMMAND...: if root runs ./test, runs a test once more as a normal user, who may unshare, mount and
# trace less. The user is 1000, and needs no entry in /etc/passwd.
#
# A source tree below a folder that is closed to others (/root) is shown to the user at the same place, in a mount
# namespace of the test's own. Exit code 77: the test was skipped, for the reason that is printed.
set -uo pipefail
tree=$1
shift
user=(setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all)

skip() {
  echo "SKIP: $*"
  exit 77
}

# The first folder on the way to the tree that the user may not enter.
closed_folder() {
  local path= part
  while IFS= read -r -d / part; do
    path+=/$part
    if ! "${user[@]}" test -x "$path"; then
      printf '%s\n' "$path"
      return
    fi
  done <<<"${tree#/}/"
}

# Only the tree is shown in a folder that stays closed outside.
open_the_way() {
  local closed=$1 here
  exec {here}<"$tree"
  mount --make-rprivate / &&
    mount -t tmpfs -o mode=755,nosuid,nodev holdfast "$closed" &&
    mkdir -p -- "$tree" &&
    mount --no-canonicalize --bind "/proc/self/fd/$here" "$tree" || exit 1
  exec {here}<&-
}

if (($(id -u) != 0)); then skip "needs root, to become another user: this is a normal user's run already"; fi
if ! "${user[@]}" test -x "$tree"; then
  if [[ -z ${HOLDFAST_OPENED:-} ]]; then
    unshare --mount true || skip "needs a mount namespace, to show $tree to another user"
    HOLDFAST_OPENED=1 exec unshare --mount -- bash "${BASH_SOURCE[0]}" "$tree" "$@"
  fi
  open_the_way "$(closed_folder)"
fi
"${user[@]}" test -r "$tree/CMakeLists.txt" || skip "needs a tree that other users may read: $tree is closed"
unset HOLDFAST_OPENED TMPDIR XDG_RUNTIME_DIR XDG_DATA_HOME XDG_CACHE_HOME
export HOME=/nonexistent USER=user LOGNAME=user
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd / && exec "${user[@]}" "$@"
