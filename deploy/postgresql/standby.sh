#!/bin/sh
# The standby's start in compose.yaml: a copy of the primary at the first one, then it follows.
set -eu
passfile=/var/lib/postgresql/standby.pgpass
umask 077
printf '*:*:*:kalos_standby:%s\n' "$(cat /run/secrets/standby_password)" >"$passfile"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until PGPASSFILE=$passfile pg_basebackup --host=postgres --username=kalos_standby --no-password --pgdata="$PGDATA" \
    --wal-method=stream --checkpoint=fast --create-slot --slot=kalos_standby; do sleep 2; done
  touch "$PGDATA/standby.signal"
fi
exec postgres -c config_file=/etc/kalos/postgresql/standby.conf -c hba_file=/etc/kalos/postgresql/pg_hba.conf
