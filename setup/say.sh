# Sourced by setup/prepare.sh. Speech and endings; all of it on standard error, since standard output is the program's.

say() { printf 'holdfast: %s\n' "$*" >&2; }

# give_up CODE TEXT: the exit codes are the program's own (4: this machine cannot, 5: the build is broken).
give_up() {
  local code=$1
  shift
  say "$@"
  exit "$code"
}

# Follows a build's output: `[12/80]` in place on a terminal, a line every 15 s in a log. A build that has nothing to do
# stays silent.
follow_build() {
  local line last=$SECONDS shown=
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && ((BASH_REMATCH[2] > 2)) || continue
    if [[ -t 2 ]]; then
      printf '\r\033[Kholdfast: building %s' "${BASH_REMATCH[0]}" >&2
    elif [[ -z $shown ]] || ((SECONDS - last >= 15)); then
      say "building ${BASH_REMATCH[0]}"
      last=$SECONDS
    fi
    shown=1
  done
  if [[ -n $shown && -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# The relevant part of a build log: from the first failed step on, else its end.
show_failure() {
  local log=$1 first
  first=$(grep -n -m1 -E '^(FAILED:|CMake Error)' "$log" | cut -d: -f1) || true
  if [[ -n $first ]]; then tail -n "+$first" "$log" | head -n 40 >&2; else tail -n 40 "$log" >&2; fi
}
