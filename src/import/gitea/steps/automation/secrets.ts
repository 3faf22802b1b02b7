import { checkedName, shortened } from '../../../../actions/names.ts';
import type { ActionScope } from '../../../../actions/scope.ts';
import { scopeColumns } from '../../../../actions/scope.ts';
import { sealContext } from '../../../../actions/secrets/secrets.ts';
import type { Batch } from '../../batch.ts';
import { decryptSecret } from '../../secrets.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { faultOf } from '../fault.ts';

/** Secrets of jobs, encrypted with our own key. */
export const actionSecrets: Step = {
  name: 'secrets of automation',
  table: 'secret',
  batchSize: 100,
  run: async (rows, batch) => {
    for (const { row, scope, name } of await scoped(rows, batch, 'secret')) {
      const value = decryptSecret(batch.run.settings.secretKey, row.text('data'));
      if (value === undefined) {
        batch.note(`secret ${row.id} (${name})`, 'it cannot be decrypted with SECRET_KEY: set it again');
        continue;
      }
      batch.add('action_secrets', {
        id: row.id,
        ...scopeColumns(scope),
        name,
        description: shortened(row.text('description')),
        sealed_value: batch.context.secrets.encrypt(value, sealContext(scope, name)),
        created_at: row.time('created_unix'),
        updated_at: row.time('created_unix'),
      });
    }
  },
};

/** Variables of jobs, which everybody may see. */
export const actionVariables: Step = {
  name: 'variables of automation',
  table: 'action_variable',
  batchSize: 100,
  run: async (rows, batch) => {
    for (const { row, scope, name } of await scoped(rows, batch, 'variable'))
      batch.add('action_variables', {
        id: row.id,
        ...scopeColumns(scope),
        name,
        description: shortened(row.text('description')),
        value: row.text('data'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
  },
};

interface Scoped {
  readonly row: Row;
  readonly scope: ActionScope;
  readonly name: string;
}

/** The rows with an existing owner and a valid name. Until Gitea 1.23, those of repositories also had an owner. */
async function scoped(rows: readonly Row[], batch: Batch, word: string): Promise<Scoped[]> {
  const repositories = await batch.existingOf('repositories', rows, 'repo_id');
  const owners = await batch.existingOf('users', rows, 'owner_id');
  return rows.flatMap((row) => {
    const [repositoryId, ownerId] = [row.reference('repo_id'), row.reference('owner_id')];
    if (repositoryId === null ? ownerId !== null && !owners.has(ownerId) : !repositories.has(repositoryId)) return [];
    const fault = faultOf(() => checkedName(row.text('name')));
    if (fault !== undefined) batch.note(`${word} ${row.id} (${row.line('name', 100)})`, `${fault}: it is left out`);
    if (fault !== undefined) return [];
    const scope: ActionScope = repositoryId !== null ? { repositoryId } : ownerId !== null ? { ownerId } : { instance: true };
    return [{ row, scope, name: checkedName(row.text('name')) }];
  });
}
