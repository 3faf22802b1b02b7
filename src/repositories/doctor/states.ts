import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { removeUnfinished } from '../create.ts';
import { removeRemains } from '../delete.ts';
import type { Finding } from './finding.ts';

/** A creation that takes longer than so many seconds has died. */
const CREATION_SECONDS = 3600;

/** Repositories whose creation or deletion was cut off. */
export async function* unfinishedRepositories(context: Context): AsyncGenerator<Finding> {
  const { db } = context;
  const rows = await db
    .selectFrom('repositories')
    .select(['id', 'owner_id', 'name', 'state', 'created_at'])
    .where('state', '!=', 'ready')
    .orderBy('id')
    .execute();
  for (const row of rows) {
    if (row.state === 'creating' && row.created_at > now() - CREATION_SECONDS) continue;
    yield {
      text: `repository ${row.id} (${row.name}) was never ${row.state === 'creating' ? 'finished' : 'wholly deleted'}`,
      fix: async () => {
        if (row.state === 'creating') await removeUnfinished(context, row.id, row.owner_id);
        await removeRemains({ repositoryId: row.id }, context);
      },
    };
  }
}
