#!/usr/bin/env bash
# The lock redis_token with redis-cli: SET NX PX with a value of each grant's own, freed by a script that compares.
#
# Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
# Each request to the server is a redis-cli of its own, so that no connection can grow old. Names with a backslash or a
# quote in them, which JSON escapes, are refused: reading them would take a JSON parser.
set -uo pipefail
delete='
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  else
    return 0
  end
'
declare -A values # of locks that may be held

# field NAME: the value of the first such field of $line, a text or a number
field() {
  local pattern="\"$1\"[[:space:]]*:[[:space:]]*(\"([^\"\\\\]*)\"|(-?[0-9]+))"
  if [[ $line =~ $pattern ]]; then printf '%s' "${BASH_REMATCH[2]}${BASH_REMATCH[3]}"; else return 1; fi
}

# A reply is waited for: a time-out would hide a grant that comes after its lease.
# asked OUTCOME OTHER REPLY WORDS...: OUTCOME if the server says REPLY, OTHER if it says something else, info if nothing
asked() {
  local outcome=$1 other=$2 reply=$3 said
  if ! said=$(redis-cli -e -h "$host" -p "$port" "${@:4}" </dev/null); then
    answer=info
  elif [[ $said == "$reply" ]]; then
    answer=$outcome
  else
    answer=$other
  fi
}

while IFS= read -r line; do
  n=$(field n) || n=null
  more=
  answer=fail
  case $(field do) in
    bye) exit 0 ;;
    hello)
      host=$(field host) port=$(field port) owner=$(field owner)
      version=$(redis-cli --version | cut -d' ' -f2)
      answer=ready more=',"v":1,"name":"redis_token_sh","version":"'$version'","can":[]'
      ;;
    pulse) answer=ok more=",\"wall_ms\":${EPOCHREALTIME//[!0-9]/}" more=${more%???} ;; # EPOCHREALTIME has microseconds
    acquire)
      if lock=$(field lock) && lease_ms=$(field lease_ms); then
        values[$lock]=$owner:$n
        asked ok busy OK SET "$lock" "${values[$lock]}" NX PX "$lease_ms"
      fi
      ;;
    release)
      if lock=$(field lock); then asked ok not_held 1 EVAL "$delete" 1 "$lock" "${values[$lock]-}"; fi
      ;;
  esac
  printf '{"n":%s,"is":"%s"%s}\n' "$n" "$answer" "$more"
done
