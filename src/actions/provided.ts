import type { Repository } from '../access/find-repository.ts';
import type { RefUpdate } from '../git/ref-update.ts';

/** Something that happened, with its payload as in webhooks. */
export interface PayloadOfEvent {
  readonly event: string;
  readonly payload: object;
}

declare module '../context.ts' {
  interface Provided {
    /** What a branch or a tag that was created, moved or deleted makes happen, in its order. */
    payloadsOfRef(
      context: Context,
      repository: Repository,
      actorId: number,
      update: RefUpdate & { isRename: boolean },
    ): Promise<PayloadOfEvent[]>;
    /** A payload with what is read from git for it; undefined where nothing is left to tell. */
    completePayload(context: Context, payload: object, completion: unknown): Promise<object | undefined>;
  }
}
