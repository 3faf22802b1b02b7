#!/usr/bin/env bash
# Tries Copse with its repositories on JuiceFS: makes a volume on PostgreSQL and S3, mounts it twice, and runs two processes, each on a mount
# of its own: the stress of one repository, then the recorded scenarios.
#
#   META=postgres://user:password@host/juicefs BUCKET=https://s3.example.com/copse-juicefs \
#   ACCESS_KEY=… SECRET_KEY=… ops/juicefs-trial.sh [words of area/name…]
#
# It needs the program juicefs (https://juicefs.com/docs/community/getting-started/installation), /dev/fuse and root; the database and the
# bucket have to exist and be empty.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${META:?the PostgreSQL database of the volume}" "${BUCKET:?the URL of its bucket}" "${ACCESS_KEY:?}" "${SECRET_KEY:?}"
command -v juicefs > /dev/null || { echo 'the program juicefs is not in PATH' >&2; exit 2; }
[ -c /dev/fuse ] || { echo 'there is no /dev/fuse' >&2; exit 2; }

work=$(mktemp -d)
mounts=("$work/one" "$work/two")
unmount() {
  for mount in "${mounts[@]}"; do mountpoint -q "$mount" && juicefs umount "$mount"; done
  rm -rf "$work"
}
trap unmount EXIT

juicefs format --storage s3 --bucket "$BUCKET" --access-key "$ACCESS_KEY" --secret-key "$SECRET_KEY" "$META" copse-trial
for mount in "${mounts[@]}"; do
  mkdir "$mount"
  # What one mount has written, the other one shows at once: no attributes or names are cached. Each has a cache of its own for contents.
  juicefs mount -d --attr-cache 0 --entry-cache 0 --dir-entry-cache 0 --cache-dir "$work/cache-$(basename "$mount")" "$META" "$mount"
done
mkdir "${mounts[0]}/stress" "${mounts[0]}/scenarios"

node=node_modules/.bin/node
"$node" test/cluster/one-repository.ts --seconds 60 --data "${mounts[0]}/stress" --data "${mounts[1]}/stress"
"$node" test/cluster/conformance.ts --processes 2 --data "${mounts[0]}/scenarios" --data "${mounts[1]}/scenarios" "$@"
