#!/bin/sh
# Makes the secrets of compose.yaml, once: what exists stays. The folder is closed to other users; the files are not, because the users
# of the containers read them.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 0700 secrets
cd secrets
random() { od -An -vtx1 -N "$1" /dev/urandom | tr -d ' \n'; }
make() { [ -e "$1" ] || printf '%s\n' "$2" > "$1"; }
umask 022
make admin-password "$(random 12)"
make secret-key "$(random 32)"
make database-password "$(random 24)"
make database-url "postgres://copse:$(cat database-password)@postgres:5432/copse"
make s3-secret-access-key "$(random 24)"
key=$(cat s3-secret-access-key)
make s3-identities.json \
  "{\"identities\":[{\"name\":\"copse\",\"credentials\":[{\"accessKey\":\"copse\",\"secretKey\":\"$key\"}],\"actions\":[\"Admin\"]}]}"
echo "The password of the administrator is in $(pwd)/admin-password"
