#!/bin/sh
# keep PATH NAME, fetch NAME PATH: a segment into the archive, compressed, and out of it again. primary.conf, standby.conf and
# a restore (docs/operations.md) call it. check COPY [TIMELINE]: whether the archive is whole from a base backup on, along the
# newest timeline or that one; what is missing is named.
set -eu
wal=/var/backups/kalos/wal

# Compressed, or as PostgreSQL wrote it.
has() { [ -e "$wal/$1.gz" ] || [ -e "$wal/$1" ]; }

# Which of all segments a name means: 256 of 16 MB are a log.
number() {
  rest=${1#????????}
  echo $((0x${rest%????????} * 256 + 0x${rest#????????}))
}

# TIMELINE FIRST END: those from number FIRST to before END that aren't there.
lacking() {
  at=$2
  while [ "$at" -lt "$3" ]; do
    name=$(printf %08X%08X%08X "$1" $((at / 256)) $((at % 256)))
    has "$name" || echo "$name is missing"
    at=$((at + 1))
  done
}

# FIRST TIMELINE NEWEST: all that is missing between two names, the second of which is of that timeline. Its history says
# which it comes from; the segment in which one was left is whole in the one that follows.
holes() {
  own=$((0x${1%????????????????})) from=$(number "$1") past= met=$2
  if [ "$2" -ne "$own" ]; then
    met=
    name=$(printf %08X.history "$2")
    past=$(if [ -e "$wal/$name.gz" ]; then gzip -cd "$wal/$name.gz"; else cat "$wal/$name"; fi)
  fi
  while read -r timeline place _; do
    case $timeline in "" | *[!0-9]*) continue ;; esac
    [ "$timeline" -ge "$own" ] || continue
    left=$((0x${place%/*} * 256 + (0x${place#*/} >> 24)))
    [ "$left" -ge "$from" ] || echo "timeline $2 comes from before this copy"
    lacking "$timeline" "$from" "$left"
    from=$left met="$met $timeline"
  done <<END
$past
END
  case " $met " in *" $own "*) ;; *) echo "timeline $2 doesn't come from this copy's" ;; esac
  [ -z "$3" ] || lacking "$2" "$from" "$(number "$3")"
}

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
  check)
    # PostgreSQL takes the first segment that isn't there for the archive's end, whatever comes behind it.
    first=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]\{24\}\))$/\1/p' "$2/backup_label")
    timeline=${3:-$((0x${first%????????????????}))}
    while [ $# -lt 3 ] && has "$(printf %08X.history $((timeline + 1)))"; do
      timeline=$((timeline + 1))
    done
    newest=$(ls "$wal" | sed -n "s/^\($(printf %08X "$timeline")[0-9A-F]\{16\}\)\(\.gz\)\{0,1\}$/\1/p" | tail -n 1)
    found=$(holes "$first" "$timeline" "$newest")
    if [ -n "$found" ]; then
      echo "$found" >&2
      exit 1
    fi
    echo "whole from $first on${newest:+ to $newest}"
    ;;
  *) exit 2 ;;
esac
