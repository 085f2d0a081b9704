#!/usr/bin/env bash
# A step of action.yml: tests whether this machine has what the suite needs, with the same locks as the run.
#
# in:  SUITE; ARGUMENTS of holdfast run, of which those that name locks are taken
set -euo pipefail

read -r -a arguments <<<"$ARGUMENTS"
locks=()
for ((i = 0; i < ${#arguments[@]}; ++i)); do
  case ${arguments[i]} in
    --lock | --lock-file | --adapter | --adapter-command) locks+=("${arguments[@]:i++:2}") ;;
    --lock=* | --lock-file=* | --adapter=* | --adapter-command=*) locks+=("${arguments[i]}") ;;
  esac
done
exec holdfast doctor "$SUITE" --needed "${locks[@]}"
