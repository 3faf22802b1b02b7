import type { Repository } from '../../access/find-repository.ts';
import type { PayloadOfEvent } from '../../actions/provided.ts';
import { asInternal, type Context } from '../../context.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import { type Completion, completionOf } from '../deliveries/completion.ts';
import { actorOf } from './people.ts';
import { deliveriesOf } from './refs.ts';

/** The events of a moved ref, with complete payloads, for workflows. */
export async function payloadsOfRef(
  context: Context,
  repository: Repository,
  actorId: number,
  update: RefUpdate & { isRename: boolean },
): Promise<PayloadOfEvent[]> {
  const internal = asInternal(context);
  const found: PayloadOfEvent[] = [];
  for (const { event, payload, completion } of deliveriesOf(internal, repository, await actorOf(context, actorId), update)) {
    const plain = await payload();
    const completed = completion ? await completionOf(internal, plain, completion, false) : {};
    if (completed) found.push({ event, payload: { ...plain, ...completed } });
  }
  return found;
}

/** The data that a payload reads from git; undefined if nothing is left to report. */
export async function completePayload(context: Context, payload: object, completion: unknown): Promise<object | undefined> {
  return await completionOf(asInternal(context), payload, completion as Completion, false);
}
