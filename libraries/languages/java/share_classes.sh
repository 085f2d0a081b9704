#!/bin/sh
# Makes target/lock.jsa, an archive of the classes that an adapter needs: a JVM that maps it starts with half of the
# processor time. Which classes these are is heard from conversations with each lock in a lab. Where the server that a
# library needs is not installed there is no archive, and a JVM loads its classes one by one.
#
#   share_classes.sh HOLDFAST    the program, in a folder that install.sh has built
set -eu
rehearsal=$(mktemp -d ./rehearsal.XXXXXX)
trap 'rm -rf "$rehearsal"' EXIT
count=0
set -- "$1" run ./rehearsal.json --out "$rehearsal/runs" --quiet
{
  grep -v SharedArchiveFile jvm.options
  echo -XX:DumpLoadedClassList=/dev/stderr
} >rehearsal.options
for manifest in lock*.json; do
  count=$((count + 1))
  sed 's#@./jvm.options#@./rehearsal.options#' "$manifest" >"rehearsal_$count.json"
  name=$(sed -n 's/^ *"name": "\([^"]*\)".*/\1/p' "$manifest" | head -1)
  set -- "$@" --adapter "./rehearsal_$count.json" --lock "$name"
done
setpriv --pdeathsig TERM "$@" >"$rehearsal/said" 2>&1 || true
rm -f rehearsal_*.json rehearsal.options
# A list's lines, among others on standard error. Classes of loaders of their own cannot be shared.
cat "$rehearsal"/runs/*/cells/*/*/*/adapter-*.log 2>/dev/null |
  grep -E '^(@lambda-[a-z-]+ |[A-Za-z0-9_$/]+( id: [0-9]+)?$)' | sed 's/ id: [0-9]*$//' | awk '!seen[$0]++' \
  >target/classes.list || true
dumped() {
  setpriv --pdeathsig KILL java -Xshare:dump -XX:SharedClassListFile=target/classes.list \
    -XX:SharedArchiveFile=target/lock.jsa -cp ./target/lock.jar >"$rehearsal/dump.log" 2>&1
}
if [ ! -s target/classes.list ] || ! dumped; then
  rm -f target/lock.jsa
  echo "its classes are not shared, each JVM takes longer to start: $(tail -1 "$rehearsal/said")" >&2
fi
rm -f target/classes.list
