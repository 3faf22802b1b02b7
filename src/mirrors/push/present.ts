import type { Repository } from '../../access/find-repository.ts';
import type { PushMirrorRow } from '../../database/tables/mirrors.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { formatGoDuration } from '../../text/go-duration.ts';
import type { PushMirror } from '../schema.ts';

/** Converts rows to the wire shape. */
export function presentPushMirrors(repository: Repository, mirrors: readonly PushMirrorRow[]): Shape<typeof PushMirror>[] {
  return mirrors.map((mirror) => ({
    repo_name: repository.name,
    remote_name: mirror.remote_name,
    remote_address: mirror.remote_url,
    created: wireTime(mirror.created_at),
    // Clients expect 1970 for a mirror that has not been pushed to.
    last_update: wireTime(mirror.last_update_at ?? 0),
    last_error: mirror.last_error,
    interval: formatGoDuration(mirror.interval),
    sync_on_commit: mirror.sync_on_commit,
  }));
}
