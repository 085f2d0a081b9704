set -u
options=("$@")
waiting=()
# send CLIENT COMMAND...
send() {
  local client=$1
  shift
  printf '%s   %s\n     -> ' "$client" "$*"
  redis-cli "${options[@]}" "$@"
}
# wait_for CLIENT COMMAND...: in the background, for a command that may wait at the server.
wait_for() {
  printf '%s   %s\n' "$1" "${*:2}"
  exec redis-cli "${options[@]}" "${@:2}"
}
# close_session CLIENT: redis-cli has a connection for each command.
close_session() {
  :
}
finish() {
  local process
  sleep 1
  for process in "${waiting[@]}"; do
    if kill "$process" 2>/dev/null; then echo "a command still has no answer"; fi
  done
}
