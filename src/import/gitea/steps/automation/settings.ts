import type { TokenSettings } from '../../../../access/job-levels.ts';
import { objectOf } from '../../../../packages/protocol/values.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { unitOf } from '../../units.ts';
import { levelsByUnit } from './payload.ts';

/** The permissions of job tokens in repositories, and who else can use their actions: both in the configuration of Gitea's unit. */
export const actionSettings: Step = {
  name: 'settings of automation in repositories',
  table: 'repo_unit',
  run: async (rows, batch) => {
    const units = rows.filter((row) => unitOf(row.integer('type')) === 'actions');
    const configs = units.map((row) => ({ repositoryId: row.integer('repo_id'), config: objectOf(row.json('config')) }));
    const repositories = await batch.existingOf('repositories', units, 'repo_id');
    const owners = await batch.existing(
      'users',
      configs.flatMap(({ config }) => idsIn(config.CollaborativeOwnerIDs)),
    );
    for (const { repositoryId, config } of configs) {
      if (!repositories.has(repositoryId)) continue;
      if (config.override_owner_config === true)
        batch.add('action_token_settings', { owner_id: null, repository_id: repositoryId, ...settingsIn(config) });
      for (const ownerId of idsIn(config.CollaborativeOwnerIDs))
        if (owners.has(ownerId)) batch.add('action_collaborative_owners', { repository_id: repositoryId, owner_id: ownerId });
    }
  },
};

/** The permissions of job tokens in all repositories of an owner, and which of these all jobs can read. */
export const ownerActionSettings: Step = {
  name: 'settings of automation of owners',
  table: 'user_setting',
  run: async (rows, batch) => {
    const taken = rows.filter((row) => row.text('setting_key') === 'actions.config');
    const users = await batch.existingOf('users', taken, 'user_id');
    for (const row of taken) {
      const ownerId = row.integer('user_id');
      if (!users.has(ownerId)) continue;
      const config = objectOf(row.json('setting_value'));
      batch.add('action_token_settings', { owner_id: ownerId, repository_id: null, ...settingsIn(config) });
      for (const id of await owned(row, idsIn(config.allowed_cross_repo_ids), batch.context))
        batch.add('action_shared_repositories', { repository_id: id, owner_id: ownerId });
    }
  },
};

/** The repositories among these that belong to the owner. */
async function owned(row: Row, ids: readonly number[], { db }: Parameters<Step['run']>[1]['context']): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', row.integer('user_id'))
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}

/** Gitea treats an unknown mode as its first one. */
function settingsIn(config: Record<string, unknown>): { mode: TokenSettings['mode']; maximum: string } {
  const maximum = config.max_token_permissions;
  return {
    mode: config.token_permission_mode === 'restricted' ? 'restricted' : 'permissive',
    maximum: JSON.stringify(typeof maximum === 'object' && maximum !== null ? levelsByUnit(maximum) : null),
  };
}

const MAX_IDS = 500;

function idsIn(value: unknown): number[] {
  const ids = (Array.isArray(value) ? value : []).filter((id): id is number => Number.isSafeInteger(id) && id > 0);
  return [...new Set(ids)].slice(0, MAX_IDS);
}
