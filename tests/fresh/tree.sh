# Sourced by empty_debian.sh. An empty Debian as a folder, and how to run something in it.

cache=$source_dir/build/fresh
base=$cache/base
logs=$cache/logs
copy=
child=

# The mirror that this machine's own apt uses; there is no other that is sure to answer here.
mirror() {
  apt-get indextargets --format '$(CODENAME) $(SITE) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "bookworm" {print $NF; exit}'
}

make_base() {
  mkdir -p "$logs"
  [[ -d $base ]] && return 0
  echo "making an empty Debian 12 in $base"
  rm -rf --one-file-system "$base.part"
  if ! debootstrap --variant=minbase bookworm "$base.part" "$(mirror)" >"$logs/debootstrap.log" 2>&1; then
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

# What this machine needs to reach a mirror, an empty system needs too: sources, proxies, keys. Debian's packages are
# its whole network: it knows the names of the mirrors and of the proxies, and no others, as where a company lets in
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

debian_sources() {
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)|$(ORIGIN)' 'Created-By: Packages' |
    sed -n 's/|Debian$//p' | sort -u
}

# The hosts of Debian's mirrors, and of the proxies that this machine's apt asks.
package_hosts() {
  { debian_sources && apt-config dump | grep -i '::proxy'; } |
    sed -n -E 's!^.*[a-z]+://([^/@ "]*@)?([^/: ";]+).*!\2!p' | sort -u
}

# put_source FOLDER [OWNER]: the source tree as it is now, without what git ignores.
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
