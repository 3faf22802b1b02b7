import type { AccessLevel } from '../../../../database/tables/repositories.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Modes of watching, by Gitea's number (models/repo/watch.go, `WatchMode`). */
const WATCH_MODES: Readonly<Record<number, 'normal' | 'ignored' | 'auto'>> = { 1: 'normal', 2: 'ignored', 3: 'auto' };

export const collaborators: Step = {
  name: 'collaborators',
  table: 'collaboration',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const hasEnded = await endedIn(batch, [...repositories]);
    for (const row of rows) {
      if (!users.has(row.integer('user_id')) || !repositories.has(row.integer('repo_id'))) continue;
      const level = Math.min(Math.max(row.integer('mode'), 1), 3) as AccessLevel;
      batch.add('collaborations', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        user_id: row.integer('user_id'),
        access_level: hasEnded(row, level) ? 0 : level,
        created_at: row.time('created_unix'),
      });
    }
  },
};

/**
 * Which collaborators have no rights any more: Gitea leaves those who left the organization in the list, but takes their rows of `access`.
 * It has no row for a right that everybody has, such as to read a public repository.
 */
async function endedIn(batch: Batch, ids: readonly number[]): Promise<(row: Row, level: AccessLevel) => boolean> {
  if (!(await batch.source.has('access'))) return () => false;
  const keyOf = (row: Row) => `${row.integer('repo_id')} ${row.integer('user_id')}`;
  const held = new Set((await batch.source.rowsWith('access', 'repo_id', ids)).map(keyOf));
  const repositories = await batch.source.rowsWith('repository', 'id', ids);
  const closed = new Set(repositories.filter((row) => row.flag('is_private')).map(({ id }) => id));
  return (row, level) => level >= (closed.has(row.integer('repo_id')) ? 1 : 2) && !held.has(keyOf(row));
}

export const stars: Step = {
  name: 'stars',
  table: 'star',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'uid');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!users.has(row.integer('uid')) || !repositories.has(row.integer('repo_id'))) continue;
      batch.add('stars', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        user_id: row.integer('uid'),
        created_at: row.time('created_unix'),
      });
    }
  },
};

export const watches: Step = {
  name: 'watches',
  table: 'watch',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      const mode = WATCH_MODES[row.integer('mode')];
      if (!mode || !users.has(row.integer('user_id')) || !repositories.has(row.integer('repo_id'))) continue;
      batch.add('watches', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        user_id: row.integer('user_id'),
        mode,
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Pending transfers to another owner. */
export const transfers: Step = {
  name: 'transfers',
  table: 'repo_transfer',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'doer_id', 'recipient_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      const [actor, recipient, repository] = [row.integer('doer_id'), row.integer('recipient_id'), row.integer('repo_id')];
      if (!users.has(actor) || !users.has(recipient) || !repositories.has(repository)) continue;
      batch.add('repository_transfers', {
        repository_id: repository,
        actor_id: actor,
        recipient_id: recipient,
        team_ids: JSON.stringify(row.ids('team_i_ds')),
        created_at: row.time('created_unix'),
      });
    }
  },
};
