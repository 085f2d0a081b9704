folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf -- "$folder"' EXIT
declare -A session
step=0
# open CLIENT: a session of its own.
open() {
  mkfifo "$folder/$1"
  : >"$folder/$1.out"
  exec {descriptor}<>"$folder/$1"
  session[$1]=$descriptor
  connect <"$folder/$1" >"$folder/$1.out" 2>&1 &
  echo $! >"$folder/$1.pid"
}
# send CLIENT STATEMENT: waits 3 s at most for the answer.
send() {
  [[ ${session[$1]:-} ]] || open "$1"
  local mark="end of step $((++step))" from
  from=$(wc -l <"$folder/$1.out")
  echo "$1   $2"
  printf "%s;\nSELECT '%s';\n" "$2" "$mark" >&"${session[$1]}"
  for ((i = 0; i < 30; ++i)); do
    if grep -q "^ *$mark" "$folder/$1.out"; then break; fi
    sleep 0.1
  done
  tail -n +$((from + 1)) "$folder/$1.out" | grep -vE "$noise" | grep -vxFe "$2" | sed 's/^/     -> /'
  if ((i < 30)); then return; fi
  echo "     -> no answer yet: it waits"
  kill -0 "$(<"$folder/$1.pid")" 2>/dev/null || { echo "the client of the server ended" >&2; exit 4; }
}
# close_session CLIENT: its connection ends.
close_session() {
  [[ ${session[$1]:-} ]] || return
  kill "$(<"$folder/$1.pid")" 2>/dev/null
  unset "session[$1]"
  rm -f -- "$folder/$1"
}
finish() {
  :
}
