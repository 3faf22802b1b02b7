import { registrationTokenRow } from '../../../../actions/runners/registration-tokens.ts';
import type { ActionScope } from '../../../../actions/scope.ts';
import { scopeColumns } from '../../../../actions/scope.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

const MAX_LABELS = 200;

/** Runners, with the hashes of their tokens. */
export const actionRunners: Step = {
  name: 'runners of automation',
  table: 'action_runner',
  run: async (rows, batch) => {
    for (const { row, scope } of await placed(rows, batch)) {
      const isHash = /^[0-9a-f]{100}$/.test(row.text('token_hash')) && /^\w{1,64}$/.test(row.text('token_salt'));
      if (!isHash || row.text('uuid').trim().length !== 36) {
        batch.note(`runner ${row.id} (${row.line('name', 100)})`, 'its credentials cannot be read: it has to register again');
        continue;
      }
      batch.add('action_runners', {
        id: row.id,
        uuid: row.line('uuid').trim(),
        ...scopeColumns(scope),
        name: row.line('name'),
        description: row.text('description'),
        version: row.line('version', 64),
        labels: JSON.stringify(row.texts('agent_labels').slice(0, MAX_LABELS)),
        is_ephemeral: row.flag('ephemeral'),
        is_disabled: row.flag('is_disabled'),
        token_hash: row.text('token_hash'),
        imported_salt: row.text('token_salt'),
        last_online_at: row.time('last_online'),
        last_active_at: row.time('last_active'),
        created_at: row.time('created'),
        updated_at: row.time('updated'),
      });
    }
  },
};

/** Registration tokens of runners. */
export const actionRunnerTokens: Step = {
  name: 'registration tokens of runners',
  table: 'action_runner_token',
  run: async (rows, batch) => {
    for (const { row, scope } of await placed(rows, batch)) {
      const token = row.line('token');
      if (token === '') continue;
      const created = row.time('created');
      const values = registrationTokenRow(batch.context, scope, token);
      batch.add('action_runner_tokens', { id: row.id, ...values, is_active: row.flag('is_active'), created_at: created });
    }
  },
};

/** The rows that are not deleted and whose owner or repository exists. */
async function placed(rows: readonly Row[], batch: Batch): Promise<{ row: Row; scope: ActionScope }[]> {
  const repositories = await batch.existingOf('repositories', rows, 'repo_id');
  const owners = await batch.existingOf('users', rows, 'owner_id');
  return rows.flatMap((row) => {
    const [repositoryId, ownerId] = [row.reference('repo_id'), row.reference('owner_id')];
    const isThere = repositoryId === null ? ownerId === null || owners.has(ownerId) : repositories.has(repositoryId);
    if (!isThere || row.integer('deleted') > 0) return [];
    const scope: ActionScope = repositoryId !== null ? { repositoryId } : ownerId !== null ? { ownerId } : { instance: true };
    return [{ row, scope }];
  });
}
