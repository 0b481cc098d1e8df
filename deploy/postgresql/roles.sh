#!/bin/sh
# Once, when the primary's cluster is made: the role that the standby follows with, and that of the base backups. `migrate`
# makes all others.
set -eu
password=$(cat /run/secrets/standby_password)
psql --set=ON_ERROR_STOP=1 --set=password="$password" --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
CREATE ROLE kalos_standby REPLICATION LOGIN PASSWORD :'password';
-- Who makes base backups on this machine: its user `postgres`, without a password (pg_hba.conf: peer).
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'postgres') THEN CREATE ROLE postgres LOGIN REPLICATION; END IF;
END $$;
SQL
