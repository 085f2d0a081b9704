#!/bin/bash
# A suite in shards on a Slurm cluster: an array of jobs, and one that makes a single result of them.
#
#   docs/ci/slurm.sh SUITE SEED SHARDS FOLDER [FLAG...]    waits; ends with the exit code of the whole
#
# FOLDER gets shard-1, shard-2 and so on, and the whole in merged/latest; all nodes must see it under this path. FLAGs
# are further ones of holdfast run. HOLDFAST names the program, where it is not in the PATH of the nodes. A job that is
# lost is a missing shard: its cells are not run, and the exit code is 3. To run shard 2 of 4 again: remove
# FOLDER/shard-2, run holdfast run SUITE --shard 2/4 --seed SEED --out FOLDER/shard-2, and merge again.
set -euo pipefail

holdfast=${HOLDFAST:-holdfast}

case ${HOLDFAST_SLURM_PART:-submit} in
  submit)
    if (($# < 4)); then
      echo "usage: $0 SUITE SEED SHARDS FOLDER [FLAG...]" >&2
      exit 2
    fi
    mkdir -p "$4"
    folder=$(readlink -f -- "$4")
    me=$(readlink -f -- "$0")
    array=$(HOLDFAST_SLURM_PART=shard sbatch --parsable --job-name=holdfast --array="1-$3" \
      --output="$folder/shard-%a.log" "$me" "$1" "$2" "$3" "$folder" "${@:5}")
    # afterany: what a shard found, or that it is lost, is for the whole to say.
    HOLDFAST_SLURM_PART=merge sbatch --wait --job-name=holdfast-merge --dependency="afterany:${array%%;*}" \
      --output="$folder/merge.log" "$me" "$1" "$2" "$3" "$folder" || code=$?
    cat "$folder/merge.log"
    exit "${code:-0}"
    ;;
  shard)
    exec "$holdfast" run "$1" --shard auto --seed "$2" --out "$4/shard-$SLURM_ARRAY_TASK_ID" --quiet "${@:5}"
    ;;
  merge)
    exec "$holdfast" merge "$4"/shard-*/ --out "$4/merged"
    ;;
esac
