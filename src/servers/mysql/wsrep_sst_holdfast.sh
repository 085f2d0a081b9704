#!/bin/sh
# What a Galera node runs to hand its state to another. The nodes of a trial all begin empty, so that there is nothing
# to copy: a node that was away gets the writes it missed from the others' memory (IST), which needs no script, and
# this one only lets the two sides agree on where that begins. The joining side says that it is ready and waits; the
# giving side (donor) tells the position. Called by mariadbd, which has its folder in PATH.
role= address= gtid=
while [ $# -gt 0 ]; do
  case $1 in
    --role) role=$2; shift ;;
    --address) address=$2; shift ;;
    --gtid) gtid=$2; shift ;;
  esac
  shift
done
host=${address%%/*}
host=${host%%:*}
word=${0%/*}/position-$host
if [ "$role" = donor ]; then
  echo "$gtid" >"$word.new" && mv "$word.new" "$word" && echo "done $gtid"
  exit
fi
rm -f "$word"
echo "ready $host"
tries=0
while [ ! -e "$word" ]; do
  tries=$((tries + 1))
  [ $tries -gt 1000 ] && exit 110
  sleep 0.02
done
cat "$word"
