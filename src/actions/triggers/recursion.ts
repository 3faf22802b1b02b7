import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { eventPayload } from '../jobs/event-payload.ts';
import type { EventPayload } from './match.ts';

/** Maximum length of a chain of runs that started each other. */
const MAX_DEPTH = 5;

/** Whether too many runs of workflows have started each other. */
export async function isNestedTooDeeply({ db }: Context, repository: Repository, payload: EventPayload): Promise<boolean> {
  let current: EventPayload = payload;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const run = current.workflow_run;
    if (run?.event !== 'workflow_run') return false;
    const row = await db
      .selectFrom('action_runs')
      .select('event_payload')
      .where('id', '=', run.id)
      .where('repository_id', '=', repository.id)
      .executeTakeFirst();
    if (!row) return true;
    current = eventPayload<EventPayload>(row);
  }
  return true;
}
