import type { Repository } from '../access/find-repository.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';

/** An event with its payload as in webhooks. */
export interface PayloadOfEvent {
  readonly event: string;
  readonly payload: object;
}

declare module '../context.ts' {
  interface Provided {
    /** The events of a branch or a tag that was created, moved or deleted, in order. */
    payloadsOfRef(
      context: Context,
      repository: Repository,
      actorId: number,
      update: RefUpdate & { isRename: boolean },
    ): Promise<PayloadOfEvent[]>;
    /** A payload with the parts that are read from git; undefined if there is nothing to report any more. */
    completePayload(context: Context, payload: object, completion: unknown): Promise<object | undefined>;
  }
}
