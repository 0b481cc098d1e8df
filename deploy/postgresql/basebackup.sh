#!/bin/sh
# FOLDER KEEP: a base backup, verified, beside the archive of primary.conf; then all but the newest KEEP go, with the log
# that none of those needs. What has no final name was cut off or isn't what was written: it goes with the next one.
set -eu
folder=$1 keep=$2
cd "$folder/base"
# One at a time: the next line takes away what another one is writing.
exec 9<.
flock -n 9 || { echo "another copy is being made" >&2; exit 1; }
rm -rf -- *.new
name=$(date -u +%Y%m%dT%H%M%SZ)
pg_basebackup --pgdata="$name.new" --wal-method=stream --checkpoint=fast --manifest-checksums=SHA256
pg_verifybackup --quiet "$name.new"
# In a copy of the standby: a server that finds it follows for ever, and a restore from it would never end.
rm -f -- "$name.new/standby.signal"
mv -T -- "$name.new" "$name"
# The names are times, so their order is that of the copies.
oldest=$(ls | tail -n "$keep" | head -n 1)
for copy in *; do
  [ "$copy" != "$oldest" ] || break
  rm -r -- "$copy"
done
needed=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]\{24\}\))$/\1/p' "$oldest/backup_label")
pg_archivecleanup ../wal "$needed" -x .gz
