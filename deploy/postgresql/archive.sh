#!/bin/sh
# keep PATH NAME, fetch NAME PATH: a segment into the archive, compressed, and out of it again. primary.conf, standby.conf and
# a restore (docs/operations.md) call it.
set -eu
wal=/var/backups/kalos/wal
case $1 in
  keep)
    kept=$wal/$3.gz
    # Never over a segment with other content; PostgreSQL may ask again for what is there already.
    if [ -e "$wal/$3" ]; then
      cmp "$wal/$3" "$2" >&2
    elif [ -e "$kept" ]; then
      gzip -cd "$kept" | cmp - "$2" >&2
    else
      # On the disk before it counts, and under its name only when it is whole.
      gzip -c1 "$2" >"$kept.new"
      sync "$kept.new"
      mv "$kept.new" "$kept"
      sync "$wal"
    fi
    ;;
  fetch)
    kept=$wal/$2
    # PostgreSQL takes any failure below 126 for the end of the archive: one that is damaged must not pass for it.
    if [ -e "$kept.gz" ]; then
      gzip -cd "$kept.gz" >"$3" || exit 200
    else
      # Segments of before they were compressed are as PostgreSQL wrote them.
      [ -e "$kept" ] || exit 1
      cp "$kept" "$3" || exit 200
    fi
    ;;
  *) exit 2 ;;
esac
