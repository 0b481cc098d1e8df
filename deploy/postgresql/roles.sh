#!/bin/sh
# Once, when the primary's cluster is made: the role that the standby follows with. `migrate` makes all others.
set -eu
password=$(cat /run/secrets/standby_password)
psql --set=ON_ERROR_STOP=1 --set=password="$password" --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
CREATE ROLE kalos_standby REPLICATION LOGIN PASSWORD :'password';
SQL
