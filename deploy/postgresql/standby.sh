#!/bin/sh
# The standby's start in compose.yaml: a copy of the primary where there is none yet, then it follows. A copy that was cut off is
# made again. To make a standby anew, stop it, remove its data and start it.
set -eu
passfile=/var/lib/postgresql/standby.pgpass
umask 077
printf '*:*:*:kalos_standby:%s\n' "$(cat /run/secrets/standby_password)" >"$passfile"

copy() {
  # The slot of an earlier copy serves this one, too.
  PGPASSFILE=$passfile psql --no-password --quiet --command='CREATE_REPLICATION_SLOT kalos_standby PHYSICAL RESERVE_WAL' \
    'host=postgres user=kalos_standby replication=true' >/dev/null 2>&1 || true
  rm -rf "$PGDATA.new" &&
    PGPASSFILE=$passfile pg_basebackup --host=postgres --username=kalos_standby --no-password --pgdata="$PGDATA.new" \
      --wal-method=stream --checkpoint=fast --slot=kalos_standby
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until copy; do sleep 2; done
  # Whole, and marked as a standby, before it stands where it is started from.
  touch "$PGDATA.new/standby.signal"
  rm -rf "$PGDATA"
  mv "$PGDATA.new" "$PGDATA"
fi
exec postgres -c config_file=/etc/kalos/postgresql/standby.conf -c hba_file=/etc/kalos/postgresql/pg_hba.conf
