#!/usr/bin/env bash
# Debian's packages of servers start services: PostgreSQL's makes a cluster "main" and starts it, pgbouncer starts
# itself, both now and at each boot. Run by setup/servers.sh, as an administrator, before and after what is missing is
# installed: nothing starts, and nothing will at the next boot. What was installed before is left as it is.
#
#   around_packages.sh before|after PACKAGE...      # those that are missing
set -u
step=$1
shift
conf=/etc/postgresql-common/createcluster.d/holdfast.conf
policy=/usr/sbin/policy-rc.d
mark="holdfast: while packages are installed"

if [[ $step == before ]]; then
  mkdir -p -- "${conf%/*}" && printf '# %s\ncreate_main_cluster = false\n' "$mark" >"$conf"
  if [[ ! -e $policy ]]; then printf '#!/bin/sh\n# %s\nexit 101\n' "$mark" >"$policy" && chmod 755 "$policy"; fi
  exit 0
fi
rm -f -- "$conf"
if grep -qsF "$mark" "$policy"; then rm -f -- "$policy"; fi
for package; do
  if [[ $package == pgbouncer && -e /etc/init.d/pgbouncer ]]; then
    if [[ -d /run/systemd/system ]]; then
      systemctl disable --now --quiet pgbouncer
    else
      update-rc.d pgbouncer disable
    fi
  fi
done
exit 0
