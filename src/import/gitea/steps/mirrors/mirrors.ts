import { sealCredentials } from '../../../../mirrors/credentials.ts';
import type { Batch } from '../../batch.ts';
import { pathInside } from '../../files.ts';
import { readRemotes, readRemoteUrl } from '../../git/remotes.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

const NANOSECONDS = 1_000_000_000;

interface Names {
  readonly owner: string;
  readonly name: string;
  readonly createdAt: number;
}

/** Pull mirrors. The URL of the remote, with credentials, is in the configuration of the repository. */
export const mirrors: Step = {
  name: 'mirrors',
  table: 'mirror',
  batchSize: 50,
  run: async (rows, batch) => {
    const names = await namesOf(rows, batch);
    for (const row of rows) {
      const repository = names.get(row.integer('repo_id'));
      if (!repository) continue;
      const remotes = await remotesOf(batch, repository, '.git');
      const remote = readRemoteUrl(remotes.get('origin') ?? row.line('remote_address', 2048));
      if (typeof remote === 'string') {
        batch.note(`mirror of repository ${row.integer('repo_id')}`, `${remote}: it follows the other no more`);
        batch.change((db) => db.updateTable('repositories').set({ is_mirror: false }).where('id', '=', row.integer('repo_id')).execute());
        continue;
      }
      const wiki = readRemoteUrl((await remotesOf(batch, repository, '.wiki.git')).get('origin') ?? '');
      const interval = intervalOf(row);
      batch.add('mirrors', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        remote_url: remote.url,
        remote_host: remote.host,
        credentials: sealCredentials(batch.context, 'mirror', remote.url, remote.credentials),
        interval,
        next_at: interval === 0 ? null : row.time('next_update_unix'),
        enable_prune: row.flag('enable_prune', true),
        wiki_url: typeof wiki === 'string' ? '' : wiki.url,
        lfs: row.flag('lfs_enabled'),
        lfs_endpoint: row.line('lfs_endpoint', 2048),
        created_at: repository.createdAt,
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** Push mirrors. */
export const pushMirrors: Step = {
  name: 'push mirrors',
  table: 'push_mirror',
  batchSize: 50,
  run: async (rows, batch) => {
    const names = await namesOf(rows, batch);
    for (const row of rows) {
      const repository = names.get(row.integer('repo_id'));
      if (!repository) continue;
      const name = row.line('remote_name');
      const remotes = await remotesOf(batch, repository, '.git');
      const remote = readRemoteUrl(remotes.get(name) ?? row.line('remote_address', 2048));
      if (typeof remote === 'string') {
        batch.note(`push mirror ${row.id} of repository ${row.integer('repo_id')}`, `${remote}: it is left out`);
        continue;
      }
      if (!remotes.has(name)) batch.note(`push mirror ${row.id}`, 'its credentials cannot be read: set it up again if it needs any');
      const interval = intervalOf(row);
      const pushed = row.timeOrNull('last_update');
      batch.add('push_mirrors', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        remote_name: name,
        remote_url: remote.url,
        remote_host: remote.host,
        credentials: sealCredentials(batch.context, 'push mirror', remote.url, remote.credentials),
        interval,
        next_at: interval === 0 ? null : (pushed ?? row.time('created_unix')) + interval,
        last_error: row.text('last_error').slice(0, 4096),
        sync_on_commit: row.flag('sync_on_commit'),
        last_update_at: pushed,
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Seconds. */
function intervalOf(row: Row): number {
  return Math.max(0, Math.floor(row.integer('interval') / NANOSECONDS));
}

async function remotesOf({ run }: Batch, { owner, name }: Names, ending: string): Promise<ReadonlyMap<string, string>> {
  const folder = await pathInside(run.settings.repositories, owner, `${name}${ending}`);
  return folder === undefined ? new Map() : readRemotes(folder);
}

async function namesOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, Names>> {
  const ids = [...new Set(rows.map((row) => row.integer('repo_id')))];
  const found = await batch.context.db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select(['repositories.id', 'repositories.lower_name as name', 'users.lower_name as owner', 'repositories.created_at as createdAt'])
    .where('repositories.id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, ...names }) => [id, names]));
}
