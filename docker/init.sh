#!/bin/sh
# Initialises the cluster of the started nodes, sets its licence, and creates the database. Can be repeated.
set -eu

cockroach=/cockroach/cockroach

sql() {
  "$cockroach" sql --insecure --host="$HOST" --execute="$1"
}

# Escapes a string literal of SQL.
quoted() {
  printf '%s' "$1" | sed "s/'/''/g"
}

if [ "${SINGLE:-false}" != true ]; then
  said=$("$cockroach" init --insecure --host="$HOST" 2>&1) || case $said in
    *"already been initialized"*) said='The cluster is there already.' ;;
    *)
      echo "init: $said" >&2
      exit 1
      ;;
  esac
  echo "$said"
fi

tries=0
until sql 'SELECT 1' >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { echo "init: $HOST does not answer after a minute" >&2; exit 1; }
  sleep 1
done

if [ -n "${CRDB_LICENSE:-}" ]; then
  sql "SET CLUSTER SETTING cluster.organization = '$(quoted "${CRDB_ORG:-}")'"
  sql "SET CLUSTER SETTING enterprise.license = '$(quoted "$CRDB_LICENSE")'"
elif [ "${SINGLE:-false}" != true ]; then
  echo 'No licence (CRDB_LICENSE, CRDB_ORG): seven days, then five transactions at once. Do not measure after that.'
fi
sql 'CREATE DATABASE IF NOT EXISTS movr'
