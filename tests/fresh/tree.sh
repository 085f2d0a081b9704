# Sourced by empty_debian.sh. An empty Debian as a folder, and how to run something in it.

cache=$source_dir/build/fresh
copy=
child=
declare -A titles=([bookworm]="Debian 12" [trixie]="Debian 13" [forky]="Debian testing (forky)" [sid]="Debian sid")
declare -A compilers=([bookworm]="clang-14" [trixie]="g++-13 clang-19" [forky]="g++-15 clang" [sid]="clang")
declare -A no_linker=([trixie]="g++-13")

# use_release CODENAME: selects the Debian release of the base; false for an unknown name.
use_release() {
  [[ -n ${titles[$1]:-} ]] || return 1
  release=$1 title=${titles[$1]} base=$cache/base-$1 logs=$cache/logs-$1
}

# This machine's own sources of Debian packages, as `URI CODENAME COMPONENT`: bookworm, bookworm-updates and so on.
own_sources() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)|$(ORIGIN)' 'Created-By: Packages' |
    sed -n 's/|Debian$//p' | sort -u
}

# The mirror that this machine's own apt uses; no other is sure to answer here.
mirror() { own_sources | awk '$2 !~ /-/ {print $1; exit}'; }

# reaches_mirror: whether it has this release; apt's own client asks, with apt's proxies.
reaches_mirror() {
  local file status
  file=$(mktemp)
  /usr/lib/apt/apt-helper download-file "$(mirror)dists/$release/Release" "$file" >/dev/null 2>&1
  status=$?
  rm -f -- "$file"
  return $status
}

make_base() {
  mkdir -p "$logs"
  [[ -d $base ]] && return 0
  echo "making an empty $title in $base"
  rm -rf --one-file-system "$base.part"
  # A debootstrap that is older than the release has no script for it; that of sid does for all later ones.
  local script=/usr/share/debootstrap/scripts/$release
  [[ -e $script ]] || script=${script%/*}/sid
  if ! debootstrap --variant=minbase "$release" "$base.part" "$(mirror)" "$script" >"$logs/debootstrap.log" 2>&1; then
    tail -n 5 "$logs/debootstrap.log"
    return 1
  fi
  mv "$base.part" "$base"
}

copy_base() {
  copy=$(mktemp -d "$cache/$1.XXXXXX")
  trap end_case EXIT
  trap 'exit 130' INT TERM
  cp -a --reflink=auto "$base/." "$copy"
  lend_network
}

# However the case ends: first whatever still runs in the copy, then the copy.
end_case() {
  if [[ -n $child ]]; then
    kill -KILL "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    sleep 0.5
  fi
  remove_copy
}

remove_copy() {
  # A second time for what a dying process wrote during the first.
  if [[ -n $copy ]]; then
    rm -rf --one-file-system "$copy" 2>/dev/null || { sleep 2 && rm -rf --one-file-system "$copy"; }
  fi
  copy=
}

# Gives an empty system what this machine needs to reach a mirror: sources, proxies, keys. Debian's packages are its
# whole network: it knows the names of the mirrors and of the proxies, and no others, as in a company that lets in
# Debian's packages only.
lend_network() {
  local item name etc=${copy:?}/etc
  debian_sources >"$etc/apt/sources.list"
  for item in /etc/apt/trusted.gpg.d/* /etc/apt/keyrings/* /etc/apt/apt.conf /etc/apt/apt.conf.d/* \
    /etc/ssl/certs/ca-certificates.crt /usr/share/keyrings/*; do
    if [[ -f $item ]]; then install -D -m 644 "$item" "${copy:?}$item"; fi
  done
  echo "# No server of names: /etc/hosts has all that are known." >"$etc/resolv.conf"
  sed -i 's/^hosts:.*/hosts: files/' "$etc/nsswitch.conf"
  {
    echo "127.0.0.1 localhost $(hostname)"
    for name in $(package_hosts); do getent ahosts "$name" | awk -v name="$name" '!seen[$1]++ {print $1, name}'; done
  } >"$etc/hosts"
}

# The same sources for the release that is tried. Sid has no -updates and no -security.
debian_sources() {
  own_sources | awk -v release="$release" '
    { suffix = match($2, /-/) ? substr($2, RSTART) : "" }
    release != "sid" || suffix == "" { print "deb", $1, release suffix, $3 }'
}

# The hosts of Debian's mirrors, and of the proxies that this machine's apt asks.
package_hosts() {
  { debian_sources && apt-config dump | grep -i '::proxy'; } |
    sed -n -E 's!^.*[a-z]+://([^/@ "]*@)?([^/: ";]+).*!\2!p' | sort -u
}

# put_source FOLDER [OWNER]: the current source tree, without files that git ignores.
put_source() {
  mkdir -p "$copy$1"
  (cd "$tree" && list_source | tar -c --null -T - --owner=0 --group=0) | tar -x -C "$copy$1"
  if [[ -n ${2:-} ]]; then enter chown -R "$2:" "$1"; fi
}

list_source() {
  if [[ $(git rev-parse --show-toplevel 2>/dev/null) == "$tree" ]]; then
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
      if [[ -e $file ]]; then printf '%s\0' "$file"; fi
    done
  else
    find . \( -path ./build -o -path ./runs -o -path ./.git \) -prune -o \( -type f -o -type l \) -print0
  fi
}

# enter COMMAND...: runs it as root in the copy. Not by chroot: the kernel refuses new user namespaces, which holdfast
# needs, to a process whose root is not its mount namespace's root. Everything dies with this script (--pdeathsig), and
# has no terminal (setsid), so that sudo cannot ask. network=none: with no network.
enter() {
  local status spaces=(--mount --pid --fork --kill-child --uts --ipc)
  if [[ ${network:-} == none ]]; then spaces+=(--net); fi
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    setsid setpriv --pdeathsig KILL unshare "${spaces[@]}" /bin/bash "$here/pivot.sh" "$copy" "$@" </dev/null &
  child=$!
  wait "$child"
  status=$?
  child=
  return $status
}
