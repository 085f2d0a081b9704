# Sourced by setup/prepare.sh. Debian packages: what this release calls them, which are missing, and how to get them.

# names_for RELEASE FILE...: the names in the lists (build_packages.txt has their form).
names_for() {
  awk -v release="$1" '
    { sub(/#.*/, "") }
    NF {
      name = $1
      for (i = 2; i <= NF; ++i) if (index($i, release "=") == 1) name = substr($i, length(release) + 2)
      if (name != "-") print name
    }' "${@:2}"
}

# list_packages FILE...: what this release calls them.
list_packages() { names_for "$(release_of)" "$@"; }

# missing_packages NAME...: prints those not installed. One call of dpkg-query, since this runs at every start; a name
# with an architecture (libssl-dev:arm64) has a call of its own.
missing_packages() {
  local installed name
  installed=$'\n'$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)$'\n'
  for name; do
    if [[ $name == *:* ]]; then
      [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || printf '%s\n' "$name"
      continue
    fi
    if [[ $installed != *$'\n'"$name installed"$'\n'* ]]; then printf '%s\n' "$name"; fi
  done
}

# cannot_install REASON NAME...: the one message that an administrator needs, and the end.
cannot_install() {
  local reason=$1
  shift
  say "cannot run yet: $# Debian package(s) are missing, and $reason."
  say "Missing: $*"
  say "As administrator: apt-get update && apt-get install -y --no-install-recommends $*"
  give_up 4 "If equivalents are installed, set HOLDFAST_NO_INSTALL=1 to skip this check."
}

# as_administrator COMMAND...: sudo forgets the environment, so that proxies and "ask nothing" are handed on by hand.
as_administrator() {
  local pass=(env DEBIAN_FRONTEND=noninteractive) name
  for name in http_proxy https_proxy no_proxy; do
    if [[ -n ${!name:-} ]]; then pass+=("$name=${!name}"); fi
  done
  if ((user_id == 0)); then "${pass[@]}" "$@"; else sudo "${pass[@]}" "$@"; fi
}

# install_packages LOG NAME...: never removes a user's package to make room. A failed update does not stop it: the cause
# may be a third-party source, and earlier lists may do.
install_packages() {
  local log=$1
  shift
  command -v apt-get >/dev/null || cannot_install "this system has no apt-get" "$@"
  if ((user_id != 0)); then
    command -v sudo >/dev/null || cannot_install "you are not root, and sudo is not installed" "$@"
    if ! sudo -n true 2>/dev/null; then
      { : </dev/tty; } 2>/dev/null || cannot_install "sudo wants a password but there is no terminal" "$@"
      sudo -v -p 'holdfast: password for sudo, to install packages: ' ||
        cannot_install "sudo refused" "$@"
    fi
  fi
  say "installing $# Debian package(s) (log: $log): $*"
  local options=(-o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 -o Acquire::http::Timeout=20)
  if ! { as_administrator apt-get "${options[@]}" update || true
    as_administrator apt-get "${options[@]}" install -y --no-install-recommends --no-remove "$@"; } \
    </dev/null >"$log" 2>&1; then
    tail -n 12 -- "$log" >&2
    cannot_install "apt-get failed (no network? see above)" "$@"
  fi
}
