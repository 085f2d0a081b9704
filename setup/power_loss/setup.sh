#!/usr/bin/env bash
# A file system of a lab needs /dev/fuse open to the user who runs holdfast: Debian's own setting. If it is not, this
# asks an administrator, and changes nothing by itself.
if [[ ! -e /dev/fuse ]]; then
  echo "holdfast: /dev/fuse is missing; remedy: modprobe fuse, as administrator;" \
    "in a container --device /dev/fuse" >&2
  exit 1
fi
if [[ $(stat -c %a /dev/fuse) != *[67][67] ]]; then
  echo "holdfast: only $(stat -c %U /dev/fuse) can open /dev/fuse, and a lab of root runs as the user nobody;" \
    "remedy: chmod 666 /dev/fuse, as administrator" >&2
  exit 1
fi
