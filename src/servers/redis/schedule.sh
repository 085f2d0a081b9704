set -u
options="$*"
waiting=
# send CLIENT COMMAND...
send() {
  client=$1
  shift
  echo "$client   $*"
  printf '     -> '
  redis-cli $options "$@"
}
# wait_for CLIENT COMMAND...: in the background, for a command that waits at the server.
wait_for() {
  client=$1
  shift
  echo "$client   $*"
  exec redis-cli $options "$@"
}
# close_session CLIENT: redis-cli has a connection for each command.
close_session() {
  :
}
finish() {
  sleep 1
  for process in $waiting; do
    if kill "$process" 2>/dev/null; then echo "a command still has no answer"; fi
  done
}
